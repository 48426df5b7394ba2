// browser
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect } from "vitest";
import { makeTempFolder } from "../../support/temp-folder.ts";
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

browserTest("stops all images of a run, keeps them, and works on them again", async () => {
  const { page, complaints } = await stage.open("/image-convert");
  // Noise, which takes an encoder long.
  const raw = { width: 1600, height: 1600, channels: 3 } as const;
  const pixels = randomBytes(raw.width * raw.height * raw.channels);
  const image = await sharp(pixels, { raw }).png({ compressionLevel: 0 }).toBuffer();
  const names = ["a.png", "b.png", "c.png", "d.png"];
  const folder = makeTempFolder();
  for (const name of names) writeFileSync(join(folder, name), image);
  await page
    .locator("main input[type=file]")
    .first()
    .setInputFiles(names.map((name) => join(folder, name)));
  await page.getByText("AVIF", { exact: true }).click();
  await press(page.getByRole("button", { name: "Convert" }));
  await press(page.getByRole("button", { name: "Cancel" }));
  await page.getByRole("progressbar").waitFor({ state: "detached" });
  // One that is idle is kept.
  await expect.poll(() => page.workers().length).toBeLessThanOrEqual(1);
  for (const name of names) await page.getByText(name, { exact: true }).waitFor();
  await page.getByText("JPEG", { exact: true }).click();
  await press(page.getByRole("button", { name: "Convert" }));
  await page.getByText("d.jpg", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});
