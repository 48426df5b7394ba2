// browser
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";
import { downloadBy } from "../support/download-by.ts";
import { sendBundle } from "../support/send-bundle.ts";
import { openCuttingProxy } from "../support/cutting-proxy.ts";
import { chooseFile, press, tabTo, type TestFile } from "../support/keyboard.ts";
import { lookAgain } from "../support/look-again.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const buffer = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, i) => (i * 7) % 251));
/** More than the buffers of a connection take: only then does the server see where it broke. */
const LARGE = Buffer.alloc(20_000_000, buffer);
const FILE: TestFile = { name: "Bericht für Zoë.pdf", mimeType: "application/pdf", buffer };

interface ShareInput {
  readonly passphrase?: string;
  readonly byServer?: boolean;
  readonly file?: TestFile;
}

/** Shares the file with the keyboard alone, and gives the path of the link. */
async function share({ passphrase, byServer, file = FILE }: ShareInput = {}): Promise<string> {
  const { page, complaints } = await stage.open("/");
  await chooseFile(page, file);
  await page.getByText(file.name, { exact: true }).waitFor();
  if (passphrase) {
    await press(page.getByRole("button", { name: "Passphrase", exact: true }));
    await tabTo(page.getByRole("textbox", { name: "Passphrase" }));
    await page.keyboard.type(passphrase);
  }
  if (byServer) await chooseServer(page);
  await press(page.getByRole("button", { name: "Create link" }));
  const link = await linkOn(page);
  expect(complaints).toEqual([]);
  await page.context().close();
  return link;
}

async function linkOn(page: Page): Promise<string> {
  const link = await page.getByLabel("The link", { exact: true }).innerText();
  return link.slice(stage.url.length);
}

/** Opens the link with the keyboard alone, and gives what the browser has saved. */
async function openFile(page: Page, passphrase?: string) {
  if (passphrase) {
    await tabTo(page.getByRole("textbox", { name: "Passphrase" }));
    await page.keyboard.type(passphrase);
  }
  const saved = await downloadBy(page, () => press(page.getByRole("button", { name: "Open the file" })));
  return { name: saved.suggestedFilename(), bytes: readFileSync(await saved.path()) };
}

browserTest("hands a file over once, sealed here, by keyboard alone", async () => {
  const link = await share();
  expect(link).toMatch(/^\/s\/[0-9A-Za-z]{16}#[0-9A-Za-z]{22}\.[0-9A-Za-z]{43}$/);
  const { page, complaints } = await stage.open(link);
  const opened = await openFile(page);
  expect(opened.name).toBe(FILE.name);
  expect(opened.bytes.equals(buffer)).toBe(true);
  await page.getByRole("heading", { name: "The file is here" }).waitFor();
  const { page: second } = await stage.open(link);
  await second.getByRole("heading", { name: "This secret was opened before you" }).waitFor();
  expect(complaints).toEqual([]);
});

browserTest("sends neither name nor content of a sealed file", async () => {
  const { page } = await stage.open("/");
  const sent: string[] = [];
  page.on("request", (request) =>
    sent.push(`${request.url()} ${request.postDataBuffer()?.toString("latin1")}`),
  );
  await chooseFile(page, FILE);
  await press(page.getByRole("button", { name: "Create link" }));
  await linkOn(page);
  const all = sent.join("\n");
  expect(all).toContain("/api/secrets/file?");
  expect(all).not.toContain("Bericht");
  expect(all).not.toContain(buffer.subarray(0, 64).toString("latin1"));
});

browserTest("hands over a file behind a passphrase, and one that the server seals", async () => {
  for (const byServer of [false, true]) {
    const link = await share({ passphrase: "öpen sesame", byServer });
    const { page } = await stage.open(link);
    await tabTo(page.getByRole("textbox", { name: "Passphrase" }));
    await page.keyboard.type("open barley");
    await page.keyboard.press("Enter");
    await page.getByText("You have 9 tries left. The secret has not been opened.").waitFor();
    await page.getByRole("textbox", { name: "Passphrase" }).fill("");
    const opened = await openFile(page, "öpen sesame");
    expect(opened.name).toBe(FILE.name);
    expect(opened.bytes.equals(buffer)).toBe(true);
  }
});

browserTest("goes on where the connection broke", async () => {
  const link = await share({ file: { ...FILE, buffer: LARGE } });
  const proxy = await openCuttingProxy(stage.url, { path: /\/file$/, after: [100_000, 0, 9_000_000] });
  onTestFinished(proxy.close);
  const { page } = await stage.open("/open");
  await page.goto(proxy.url + link);
  const opened = await openFile(page);
  expect(opened.bytes.equals(LARGE)).toBe(true);
  expect(proxy.ranges.length).toBeGreaterThanOrEqual(2);
  expect(proxy.ranges.at(-1)).toMatch(/^bytes=[1-9][0-9]{5,}-$/);
});

browserTest("keeps a file whose link was changed after the dot, for the whole link to open", async () => {
  const link = await share();
  const { page } = await stage.open(link.replace(/\.(.)/, (start) => (start === ".a" ? ".b" : ".a")));
  await press(page.getByRole("button", { name: "Open the file" }));
  await page.getByLabel("Complete link").fill(stage.url + link.replace(/\..*/, ""));
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("This link does not decrypt it.").waitFor({ timeout: 9000 });
  await page.getByLabel("Complete link").fill("");
  await tabTo(page.getByLabel("Complete link"));
  await page.keyboard.insertText(stage.url + link);
  const saved = await downloadBy(page, () => page.keyboard.press("Enter"));
  expect(saved.suggestedFilename()).toBe(FILE.name);
});

browserTest("refuses a file that is too large before it is sent", async () => {
  const { page, requests } = await stage.open("/");
  await chooseFile(page, { ...FILE, buffer: Buffer.alloc(25 * 1024 ** 2 + 1) });
  await page
    .getByText("This file is too large. That is 26,214,401 bytes; the limit is 26,214,400 bytes.")
    .waitFor();
  await page.getByText("With an account here, you can send up to 104 MB.").waitFor();
  await press(page.getByRole("button", { name: "Create link" }));
  expect(requests.filter((request) => request.startsWith("POST"))).toEqual([]);
});

browserTest("stops sending when asked to, and keeps the file", async () => {
  const { page } = await stage.open("/");
  await page.route("**/api/secrets/file*", () => {}); // never answered
  await chooseFile(page, FILE);
  await press(page.getByRole("button", { name: "Create link" }));
  await press(page.getByRole("button", { name: "Cancel" }));
  await page.getByRole("button", { name: "Create link" }).waitFor();
  await page.getByText(FILE.name, { exact: true }).waitFor();
});

browserTest("sends the result of a tool once", async () => {
  const { page } = await stage.open("/file-encrypt");
  await chooseFile(page, FILE);
  await tabTo(page.getByRole("textbox", { name: "Password" }));
  await page.keyboard.type("correct horse battery");
  await page.keyboard.press("Enter");
  await press(page.getByRole("button", { name: "Share it" }));
  await page.getByText(`${FILE.name}.locked`, { exact: true }).waitFor();
  await press(page.getByRole("button", { name: "Create link" }));
  const { page: other } = await stage.open(await linkOn(page));
  expect((await openFile(other)).name).toBe(`${FILE.name}.locked`);
});

/** Three of them, in another order than that of their names. */
const THREE: readonly TestFile[] = ["b.txt", "a.txt", "c.txt"].map((name) => ({
  ...{ name, mimeType: "text/plain" },
  buffer: Buffer.from(`This is ${name}`),
}));

async function saveBy(control: Locator) {
  const saved = await downloadBy(control.page(), () => press(control));
  return { name: saved.suggestedFilename(), bytes: readFileSync(await saved.path()) };
}

browserTest("hands a message and files over by one link, in the order that was chosen", async () => {
  for (const byServer of [false, true]) {
    const { page, complaints } = await stage.open("/");
    await chooseFile(page, ...THREE);
    await page.getByText(/^3 files · /).waitFor();
    await tabTo(page.getByLabel("Message (optional)"));
    await page.keyboard.insertText("Grüße\nund Dateien");
    await press(page.getByRole("button", { name: "Move a.txt up" }));
    await page.getByText("a.txt is now number 1 of 3").waitFor({ state: "attached" });
    await press(page.getByRole("button", { name: "Remove c.txt" }));
    await page.getByRole("button", { name: "Remove b.txt" }).and(page.locator(":focus")).waitFor();
    if (byServer) await chooseServer(page);
    await press(page.getByRole("button", { name: "Create link" }));
    const { page: reader } = await stage.open(await linkOn(page));
    await press(reader.getByRole("button", { name: "Open the file" }));
    await reader.getByText("Grüße\nund Dateien").waitFor();
    const rows = reader.locator(".received li strong");
    expect(await rows.allTextContents()).toEqual(["a.txt", "b.txt"]);
    const one = await saveBy(reader.getByRole("link", { name: "Save b.txt" }));
    expect([one.name, one.bytes.toString()]).toEqual(["b.txt", "This is b.txt"]);
    const all = await saveBy(reader.getByRole("link", { name: "Save all as a ZIP" }));
    expect(all.name).toBe("secret.zip");
    expect(Object.keys(unzipSync(all.bytes))).toEqual(["message.txt", "a.txt", "b.txt"]);
    await press(reader.getByRole("button", { name: "I have it, delete it now" }));
    await reader.getByText("It has been deleted from the server").waitFor();
    // The page of the sender has nothing to send any more.
    await lookAgain(page);
    await page.getByRole("heading", { name: "It was opened" }).waitFor();
    expect(await page.getByRole("button", { name: /Copy/ }).count()).toBe(0);
    expect(complaints).toEqual([]);
  }
});

async function chooseServer(page: Page): Promise<void> {
  await press(page.getByText("Encrypted by: This browser"));
  await tabTo(page.getByRole("radio", { name: "This browser" }));
  await page.keyboard.press("ArrowRight");
}

browserTest("opens a bundle of the command line's too", async () => {
  const file = { name: "a.txt", text: "the first of several" };
  const link = await sendBundle(stage.url, { message: "hello", file });
  const { page } = await stage.open(link);
  await press(page.getByRole("button", { name: "Open the file" }));
  await page.getByText("hello", { exact: true }).waitFor();
  const saved = await saveBy(page.getByRole("link", { name: "Save a.txt" }));
  expect(saved.bytes.toString()).toBe(file.text);
});

browserTest("keeps the twenty-first file in the list, and says why it cannot be sent", async () => {
  const { page, requests } = await stage.open("/");
  const files = Array.from({ length: 21 }, (_, i) => ({ ...THREE[0]!, name: `${i}.txt` }));
  await chooseFile(page, ...files);
  const notice = page
    .getByRole("alert")
    .filter({ hasText: "These are too many files. That is 21; the limit is 20." });
  await notice.waitFor();
  // Far below the head of the list, where nothing would tell why the button does nothing.
  await page.evaluate(() => scrollTo(0, 0));
  await press(page.getByRole("button", { name: "Create link" }));
  expect(await notice.evaluate((element) => element === document.activeElement)).toBe(true);
  const { bottom = Infinity } = await notice.evaluate((element) => element.getBoundingClientRect().toJSON());
  expect(bottom).toBeLessThanOrEqual((await page.locator(".bar").boundingBox())?.y ?? 0);
  expect(requests.filter((request) => request.startsWith("POST"))).toEqual([]);
  await press(page.getByRole("button", { name: "Remove 20.txt" }));
  await press(page.getByRole("button", { name: "Create link" }));
  await linkOn(page);
});

browserTest("names a file that has changed on the disk, whoever encrypts it", async () => {
  const path = join(makeTempFolder(), "plan.txt");
  for (const byServer of [false, true]) {
    const { page, complaints } = await stage.open("/");
    writeFileSync(path, "one");
    await page.locator("input[type=file]").setInputFiles(path);
    if (byServer) await chooseServer(page);
    writeFileSync(path, "another");
    await press(page.getByRole("button", { name: "Create link" }));
    await page.getByRole("alert").getByText("plan.txt: The file cannot be read.").waitFor();
    expect(complaints).toEqual([]);
  }
});
