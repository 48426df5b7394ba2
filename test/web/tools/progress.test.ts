// slow
import { afterAll, beforeAll, expect } from "vitest";
import { pagesPdf } from "../../tools/pdf/support/pdf-made.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";
import { chooseFile, press } from "../support/keyboard.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

browserTest("says how far a document is, and does not go back", async () => {
  const { page, complaints } = await stage.open("/pdf-split");
  await chooseFile(page, {
    name: "long.pdf",
    mimeType: "application/pdf",
    buffer: Buffer.from(pagesPdf(1500)),
  });
  await page.getByLabel("One file per page").check();
  const seen = page.evaluate(
    () =>
      new Promise<{ values: number[]; texts: string[] }>((resolve) => {
        const values: number[] = [];
        const texts: string[] = [];
        const observer = new MutationObserver(() => {
          const progress = document.querySelector("progress");
          if (progress && progress.position >= 0) values.push(progress.position);
          texts.push(document.querySelector(".running .hint")?.textContent ?? "");
          if (!progress && values.length > 0) {
            observer.disconnect();
            resolve({ values, texts });
          }
        });
        observer.observe(document.body, { subtree: true, childList: true, attributes: true });
      }),
  );
  await press(page.getByRole("button", { name: "Split" }));
  const { values, texts } = await seen;
  await page.getByRole("link", { name: "Save", exact: true }).waitFor();
  expect(values).toEqual(values.toSorted((a, b) => a - b));
  expect(new Set(values).size).toBeGreaterThan(10);
  expect(texts.filter((text) => /^\d+%$/.test(text)).length).toBeGreaterThan(10);
  expect(complaints).toEqual([]);
});
