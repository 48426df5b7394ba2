// browser
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { ANONYMOUS_LIMITS } from "../../../wire/limits.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** A file one byte over what the server takes, without its bytes on the disk. */
function largeFile(name: string, start = ""): string {
  const path = join(makeTempFolder(), name);
  writeFileSync(path, start);
  truncateSync(path, ANONYMOUS_LIMITS.fileSize + 1);
  return path;
}

function choosePlace(page: Page, name: "In this browser" | "On the server"): Promise<void> {
  return page.getByText(name, { exact: true }).click();
}

browserTest("says before anything is sent that the server takes no file this large", async () => {
  const { page, requests, complaints } = await stage.open("/file-encrypt");
  await page.locator("main input[type=file]").first().setInputFiles(largeFile("film.mov"));
  const button = page.getByRole("button", { name: "Encrypt", exact: true });
  await page.getByLabel("Password", { exact: true }).fill("a long password");
  await expect.poll(() => button.isEnabled()).toBe(true);
  await choosePlace(page, "On the server");
  const refused = page.getByRole("alert").filter({ hasText: "film.mov: This file is too large." });
  await refused.waitFor();
  expect(await refused.innerText()).toContain("26,214,401 bytes; the limit is 26,214,400 bytes");
  expect(await button.isEnabled()).toBe(false);
  await choosePlace(page, "In this browser");
  await expect.poll(() => refused.count()).toBe(0);
  await expect.poll(() => button.isEnabled()).toBe(true);
  expect(requests.filter((request) => request.startsWith("POST"))).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("says so of each file of a merge", async () => {
  const { page, requests } = await stage.open("/pdf-merge");
  const large = largeFile("large.pdf", "%PDF-1.7\n");
  const small = join(makeTempFolder(), "small.pdf");
  writeFileSync(small, "%PDF-1.7\n");
  await page.locator("main input[type=file]").first().setInputFiles([large, small]);
  await choosePlace(page, "On the server");
  const refused = page.getByRole("alert").filter({ hasText: "large.pdf: This file is too large." });
  await refused.waitFor();
  expect(await refused.innerText()).not.toContain("small.pdf");
  expect(await page.getByRole("button", { name: "Merge 2" }).isEnabled()).toBe(false);
  expect(requests.filter((request) => request.startsWith("POST"))).toEqual([]);
});
