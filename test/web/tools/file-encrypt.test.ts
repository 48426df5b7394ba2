// browser
import { truncateSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { makeAgeKeys, writeIdentityFile } from "../../../tools/age/keys.ts";
import { lockAge } from "../../../tools/age/lock-age.ts";
import { keyFilePassword } from "../../../tools/file-hash.ts";
import { unlockFile } from "../../../tools/crypto/unlock-file.ts";
import { utf8 } from "../../../wire/bytes.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";
import { downloadBy } from "../support/download-by.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const CONTENT = utf8("for your eyes only\n".repeat(10_000));

function fileOf(name: string, bytes: Uint8Array | string): string {
  const path = join(makeTempFolder(), name);
  writeFileSync(path, bytes);
  return path;
}

async function choose(page: Page, path: string): Promise<void> {
  await page.locator("main input[type=file]").first().setInputFiles(path);
}

async function take(page: Page, click: () => Promise<void>) {
  const download = await downloadBy(page, click);
  const bytes = new Uint8Array(await readFile(await download.path()));
  return { name: download.suggestedFilename(), bytes };
}

function save(page: Page) {
  return take(page, () => page.getByRole("link", { name: "Save", exact: true }).click());
}

browserTest("locks for a key pair that is made in the page, whose secret key opens the file", async () => {
  const { page, requests, complaints } = await stage.open("/file-encrypt");
  await choose(page, fileOf("tax.pdf", CONTENT));
  await page.getByText("Somebody’s public key (age)").click();
  const lock = page.getByRole("button", { name: "Encrypt", exact: true });
  expect(await lock.isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Make a key pair" }).click();
  await page.getByText("Save the secret key now").waitFor();
  // For a key that nobody has kept nothing is locked, and leaving asks.
  expect(await lock.isDisabled()).toBe(true);
  await page.getByRole("link", { name: "Ask", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Stay here" }).click();
  const key = await take(page, () => page.getByRole("button", { name: "Save the secret key" }).click());
  expect(key.name).toBe("age-identity.txt");
  expect(await page.getByLabel("Public keys, one in a line").inputValue()).toMatch(/^age1[0-9a-z]{58}$/);
  await lock.click();
  const locked = await save(page);
  expect(locked.name).toBe("tax.pdf.age");
  const identities = new TextDecoder().decode(key.bytes);
  expect((await unlockFile(locked.bytes, { identities })).bytes).toEqual(CONTENT);
  expect(requests.filter((request) => !/^GET \/(assets\/)?[\w.-]{0,40}$/.test(request))).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("sees what opens an age file, and takes the secret key from its file", async () => {
  const keys = await makeAgeKeys();
  const { bytes } = await lockAge(CONTENT, { recipients: keys.recipient, armor: true });
  const { page } = await stage.open("/file-encrypt");
  await choose(page, fileOf("notes.txt.age", bytes));
  const field = page.getByLabel("Secret keys, one in a line");
  await field.fill("# mine\nhunter2");
  const open = page.getByRole("button", { name: "Decrypt", exact: true });
  await open.click();
  await page.getByText("Line 2 of “Secret keys” is not valid.").waitFor();
  await field.fill((await makeAgeKeys()).identity);
  await open.click();
  await page.getByText("None of the secret keys opens this file").waitFor();
  await page
    .getByLabel("Or choose the file that they are in")
    .setInputFiles(fileOf("me.txt", writeIdentityFile(keys)));
  // The file is read first.
  await expect.poll(() => field.inputValue()).toContain(keys.identity);
  await open.click();
  const opened = await save(page);
  expect([opened.name, Buffer.compare(opened.bytes, CONTENT)]).toEqual(["notes.txt", 0]);
});

browserTest("locks with a key file beside a password", async () => {
  const { page } = await stage.open("/file-encrypt");
  await choose(page, fileOf("tax.pdf", CONTENT));
  await page.locator("summary", { hasText: "Key file" }).click();
  await page.getByLabel("Key file").last().setInputFiles(fileOf("home.key", "any file at all"));
  const lock = page.getByRole("button", { name: "Encrypt", exact: true });
  await lock.click();
  const alone = await save(page);
  const keyFile = utf8("any file at all");
  const password = await keyFilePassword(keyFile);
  expect((await unlockFile(alone.bytes, { password })).filename).toBe("tax.pdf");
  await page.getByRole("textbox", { name: "Password" }).fill("secret");
  await lock.click();
  const both = await save(page);
  const joined = await keyFilePassword(keyFile, { password: "secret" });
  expect((await unlockFile(both.bytes, { password: joined })).filename).toBe("tax.pdf");
});

const LARGE_BYTES = 65 * 2 ** 20;

browserTest("writes a large result where the person chose, and nothing of one that is damaged", async () => {
  const { page, complaints } = await stage.open("/file-encrypt");
  // The dialog belongs to the system: a file of the page's own stands for what is chosen there.
  await page.evaluate(() => {
    const chosen: string[] = [];
    Object.assign(globalThis, {
      chosen,
      showSaveFilePicker: async ({ suggestedName }: { suggestedName: string }) => {
        chosen.push(suggestedName);
        const folder = await navigator.storage.getDirectory();
        return folder.getFileHandle(suggestedName, { create: true });
      },
    });
  });
  const path = fileOf("big.bin", "");
  truncateSync(path, LARGE_BYTES);
  await choose(page, path);
  await page.getByRole("textbox", { name: "Password" }).fill("secret");
  await page.getByRole("button", { name: "Encrypt", exact: true }).click();
  await page.getByText("was saved where you chose.").waitFor();
  expect(await page.getByRole("link", { name: "Save", exact: true }).count()).toBe(0);
  const locked = await page.evaluate(sizeOfStored, "big.bin.locked");
  expect(locked).toBe(40 + 272 + LARGE_BYTES + 16 * (LARGE_BYTES / 65_536));
  await page.getByRole("button", { name: "Choose another file" }).click();
  const cut = fileOf("cut.bin.locked", "");
  const bytes = await page.evaluate(async () => {
    const folder = await navigator.storage.getDirectory();
    const file = await (await folder.getFileHandle("big.bin.locked")).getFile();
    return [...new Uint8Array(await file.slice(0, 312).arrayBuffer())];
  });
  writeFileSync(cut, Uint8Array.from(bytes));
  truncateSync(cut, LARGE_BYTES);
  await choose(page, cut);
  await page.getByRole("button", { name: "Decrypt", exact: true }).click();
  await page.getByText("damaged").waitFor();
  expect(await page.evaluate(sizeOfStored, "cut.bin")).toBe(0);
  expect(complaints).toEqual([]);
});

async function sizeOfStored(name: string): Promise<number> {
  const folder = await navigator.storage.getDirectory();
  return (await (await folder.getFileHandle(name)).getFile()).size;
}
