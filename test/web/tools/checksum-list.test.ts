// browser
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const digestOf = (text: string, algorithm = "sha256") => createHash(algorithm).update(text).digest("hex");

function filesOf(contents: Readonly<Record<string, string>>): string[] {
  const folder = makeTempFolder();
  return Object.entries(contents).map(([name, content]) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  });
}

browserTest("checks several files against the list that was chosen with them", async () => {
  const list = [
    `${digestOf("one")}  one.txt`,
    `SHA512 (two.txt) = ${digestOf("two", "sha512")}`,
    `${digestOf("other")} *folder/three.txt`,
    `${digestOf("gone")}  gone.txt`,
  ].join("\n");
  const { page, requests, complaints } = await stage.open("/file-hash");
  const input = page.locator("main input[type=file]").first();
  const files = { "one.txt": "one", "two.txt": "two", "three.txt": "three", "new.txt": "new" };
  await input.setInputFiles(filesOf({ ...files, SHA256SUMS: list }));
  const rows = page.locator(".checked li");
  await rows.getByText("missing").waitFor();
  expect(await rows.allTextContents()).toEqual([
    "does not match three.txt ",
    "missing gone.txt ",
    "not in the list new.txt ",
    "matches one.txt ",
    "matches two.txt ",
  ]);
  // Read as a list of five; what is announced are their counts.
  expect(await page.getByRole("list").and(page.locator(".checked")).count()).toBe(1);
  await expect
    .poll(() => page.getByRole("status").allTextContents())
    .toContain("matches: 2, does not match: 1, not in the list: 1, missing: 1");
  await page.getByLabel("List of checksums (optional)").fill("");
  await rows.getByText(digestOf("new")).waitFor();
  expect(await rows.count()).toBe(4);
  expect(requests.filter((request) => request.startsWith("POST"))).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("shows digests whole in a window as wide as a screen is at 400 percent", async () => {
  const { page } = await stage.open("/file-hash", { viewport: { width: 320, height: 256 } });
  await page
    .locator("main input[type=file]")
    .first()
    .setInputFiles(filesOf({ "one.txt": "one", "two.txt": "two" }));
  await page.locator(".checked").getByText(digestOf("two")).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
});

browserTest("draws the first hundred of many files, and more of them when asked", async () => {
  const names = Array.from({ length: 250 }, (_, i) => `file-${i}.txt`);
  const files = filesOf(Object.fromEntries(names.map((name) => [name, name])));
  for (const path of ["/file-encrypt", "/file-hash"]) {
    const { page } = await stage.open(path);
    await page.locator("main input[type=file]").first().setInputFiles(files);
    const rows = page.locator(".list").getByRole("button", { name: /^Remove/ });
    await rows.nth(99).waitFor();
    expect(await rows.count()).toBe(100);
    await page.locator(".list").getByRole("button", { name: "+ 150 files" }).press("Enter");
    await rows.nth(199).waitFor();
    await page.locator(".list").getByRole("button", { name: "+ 50 files" }).press("Enter");
    await rows.nth(249).waitFor();
    // The first of those that came has the focus that the button had.
    const focused = page.getByRole("group", { name: "file-200.txt" });
    expect(await focused.evaluate((row) => row === document.activeElement)).toBe(true);
    const digests = page.locator(".checked code");
    if (path === "/file-hash") await expect.poll(() => digests.count()).toBe(100);
  }
});
