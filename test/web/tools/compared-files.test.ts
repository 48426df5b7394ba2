// browser
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

browserTest("reads a text again where its file was changed and is chosen again", async () => {
  const { page, complaints } = await stage.open("/text-compare");
  const path = join(makeTempFolder(), "notes.txt");
  writeFileSync(path, "before\n");
  const input = page.locator("main input[type=file]").first();
  const text = page.getByLabel("First text", { exact: true });
  await input.setInputFiles(path);
  await expect.poll(() => text.inputValue()).toBe("before\n");
  expect(await input.evaluate((field: HTMLInputElement) => field.value)).toBe("");
  writeFileSync(path, "after\n");
  await input.setInputFiles(path);
  await expect.poll(() => text.inputValue()).toBe("after\n");
  expect(complaints).toEqual([]);
});

browserTest("says so where the file of a text cannot be read, and keeps the text", async () => {
  const { page, complaints } = await stage.open("/text-compare");
  await page.evaluate(() => {
    Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException("gone", "NotFoundError"));
  });
  const path = join(makeTempFolder(), "gone.txt");
  writeFileSync(path, "x");
  await page.getByLabel("First text", { exact: true }).fill("typed");
  await page.locator("main input[type=file]").first().setInputFiles(path);
  rmSync(path);
  await page.getByRole("alert").getByText("cannot be read").waitFor();
  expect(await page.getByLabel("First text", { exact: true }).inputValue()).toBe("typed");
  expect(complaints).toEqual([]);
});
