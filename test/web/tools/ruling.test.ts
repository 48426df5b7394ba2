// browser
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect } from "vitest";
import { lockAge } from "../../../tools/age/lock-age.ts";
import { pagesPdf } from "../../tools/pdf/support/pdf-made.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const LOCKED = readFileSync(new URL("../../files/encrypted/aes-256-r6.pdf", import.meta.url));

interface Given {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

function pdf(name: string, bytes: Uint8Array): Given {
  return { name, mimeType: "application/pdf", buffer: Buffer.from(bytes) };
}

function choose(page: Page, ...files: Given[]): Promise<void> {
  return page.locator("main input[type=file]").first().setInputFiles(files);
}

/** What the page would have a server do, as it stands beside the form. */
async function command(page: Page): Promise<string> {
  await page.locator("summary", { hasText: "As a command" }).click();
  return (await page.locator(".curl pre").first().textContent()) ?? "";
}

browserTest("forgets a password with the document that it was for", async () => {
  const { page } = await stage.open("/pdf-rotate");
  await choose(page, pdf("locked.pdf", LOCKED));
  await page.getByRole("textbox", { name: "PDF password" }).fill("geheim");
  await page.getByRole("button", { name: "Page 1", exact: true }).waitFor();
  await page.getByRole("button", { name: "Choose another file" }).click();
  await choose(page, pdf("open.pdf", pagesPdf(2)));
  await page.getByRole("button", { name: "Page 2", exact: true }).waitFor();
  expect(await page.getByRole("textbox", { name: "PDF password" }).count()).toBe(0);
});

browserTest("merges without what was set for files that have been removed", async () => {
  const red = { width: 40, height: 30, channels: 3, background: "red" } as const;
  const image = await sharp({ create: red }).png().toBuffer();
  const { page } = await stage.open("/pdf-merge");
  await choose(page, pdf("a.pdf", pagesPdf(2)), { name: "b.png", mimeType: "image/png", buffer: image });
  await page.getByLabel("A bookmark for each file").check();
  await page.getByText("A4", { exact: true }).click();
  await page.getByRole("button", { name: "Remove b.png" }).click();
  expect(await page.getByLabel("A bookmark for each file").count()).toBe(0);
  const line = await command(page);
  expect(line).toContain("pdf-merge");
  expect(line).not.toMatch(/bookmarks|fit=/);
});

browserTest("asks for a key file where one can open the file, and not for an age file", async () => {
  const { bytes } = await lockAge(new TextEncoder().encode("in it"), { password: "a passphrase" });
  const { page } = await stage.open("/file-encrypt");
  await choose(page, { name: "a.age", mimeType: "", buffer: Buffer.from(bytes) });
  await page.getByRole("textbox", { name: "Password" }).waitFor();
  await page.getByRole("radio", { name: "Decrypt", checked: true }).waitFor();
  expect(await page.locator("summary", { hasText: "Key file" }).count()).toBe(0);
});

browserTest("offers of a password's settings those that change it", async () => {
  const { page } = await stage.open("/password");
  const each = page.getByLabel("At least one of each");
  await each.waitFor();
  await page.getByLabel("A–Z").uncheck();
  await page.getByLabel("0–9").uncheck();
  expect(await each.count()).toBe(0);
  await page.getByLabel("Without 0 O 1 l I").check();
  await page.getByText("Words", { exact: true }).click();
  await page.getByText("By length").waitFor();
  expect(await command(page)).not.toContain("excludeAmbiguous");
});

browserTest(
  "says of a file with another name that it is not encrypted, where it is to be decrypted",
  async () => {
    const { page, complaints } = await stage.open("/file-encrypt");
    await choose(page, pdf("plan.locked", Buffer.from("a plan")));
    const told = page.getByRole("alert").getByText("plan.locked: This is not an encrypted file.");
    await told.waitFor();
    await page.getByText("Encrypt", { exact: true }).first().click();
    await told.waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  },
);

browserTest("says which of several PDFs lacks the pages that are typed", async () => {
  const { page, complaints } = await stage.open("/pdf-rotate");
  await choose(page, pdf("two.pdf", pagesPdf(2)), pdf("four.pdf", pagesPdf(4)));
  const range = page.getByLabel("Pages to turn");
  await range.fill("3");
  const told = page.getByRole("alert");
  await told.getByText("two.pdf").waitFor();
  expect(await told.innerText()).not.toContain("four.pdf");
  await range.fill("2");
  await told.waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
});
