// browser
import { readFile } from "node:fs/promises";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { pagesPdf } from "../../tools/pdf/support/pdf-made.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";
import { downloadBy } from "../support/download-by.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

browserTest("cleans a PDF in the page of what is chosen, and says what was there", async () => {
  const { page, requests, complaints } = await stage.open("/pdf-clean");
  const path = join(makeTempFolder(), "plan.pdf");
  writeFileSync(path, pagesPdf(2, { extra: "/OpenAction<</S/JavaScript/JS(x)>>/PageMode/UseOutlines" }));
  await page.locator("main input[type=file]").first().setInputFiles(path);
  await page.getByRole("checkbox", { name: "Bookmarks" }).check();
  await page.getByRole("checkbox", { name: "Attached files" }).uncheck();
  await page.getByRole("button", { name: "Clean", exact: true }).click();
  const download = await downloadBy(page, () =>
    page.getByRole("link", { name: "Save", exact: true }).click(),
  );
  expect(download.suggestedFilename()).toBe("plan-cleaned.pdf");
  const made = (await readFile(await download.path())).toString("latin1");
  expect(made).not.toMatch(/JavaScript|UseOutlines/);
  const said = await page.locator("main").innerText();
  expect(said).toContain("Scripts, and actions that start programs or send forms and Bookmarks");
  expect(requests.filter((request) => request.startsWith("POST"))).toEqual([]);
  expect(complaints).toEqual([]);
});
