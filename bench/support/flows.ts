import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { makePdf, scannedPage, textPage } from "./pdf-files.ts";
import { makePhotograph } from "./photograph.ts";
import { makeOrdinary } from "./texts.ts";
import type { Walk } from "./walk.ts";

/** The files that the flows choose, by the kind of file, and as paths. */
export interface FlowFiles {
  readonly text: string;
  readonly scans: string;
  readonly photograph: string;
  readonly large: string;
  readonly drop: () => void;
}

const PAGES = 30;
const SCANS = 4;
/** About 12 megapixels, as phones take them. */
const PHOTOGRAPH = { width: 4240, height: 2828 };
const LARGE_BYTES = 20_000_000;
const COMPARED_MEGABYTES = 0.02;

export async function makeFlowFiles(): Promise<FlowFiles> {
  const folder = mkdtempSync(join(tmpdir(), "hushkit-bench-"));
  const put = (name: string, bytes: Uint8Array) => {
    const path = join(folder, name);
    writeFileSync(path, bytes);
    return path;
  };
  const jpeg = await makePhotograph(PHOTOGRAPH.width, PHOTOGRAPH.height);
  const scanned = scannedPage({ jpeg, ...PHOTOGRAPH, isGray: false });
  return {
    text: put("report.pdf", makePdf(PAGES, textPage)),
    scans: put("scans.pdf", makePdf(SCANS, scanned)),
    photograph: put("photograph.jpg", jpeg),
    large: put("large.bin", new Uint8Array(LARGE_BYTES).fill(7)),
    drop: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What somebody does from the first click to the last. */
export type Flow = (walk: Walk, files: FlowFiles) => Promise<unknown>;

export const FLOWS: Readonly<Record<string, Flow>> = {
  share: shareText,
  ask: askAndAnswer,
  rotate: (walk, { text }) =>
    useTool(walk, {
      path: "/pdf-rotate",
      files: [text],
      action: "Rotate",
      set: choosePages("Pages to turn"),
    }),
  split: (walk, { text }) =>
    useTool(walk, { path: "/pdf-split", files: [text], action: "Split", set: choosePages("Pages to keep") }),
  merge: (walk, { text, scans }) =>
    useTool(walk, { path: "/pdf-merge", files: [text, scans], action: "Merge 2 files", set: sortFiles }),
  clean: (walk, { text }) =>
    useTool(walk, {
      path: "/pdf-clean",
      files: [text],
      action: "Clean",
      set: (page) => walk.click(page.locator("main fieldset label").first(), "a kind to remove"),
    }),
  compress: (walk, { scans }) =>
    useTool(walk, {
      path: "/pdf-compress",
      files: [scans],
      action: "Compress",
      set: (page) => walk.click(page.getByText("As small as possible")),
    }),
  lock: (walk, { text }) =>
    useTool(walk, {
      path: "/pdf-lock",
      files: [text],
      action: "Lock",
      set: (page) => walk.type(page.getByRole("textbox", { name: "New password" }), "gate7"),
    }),
  convert: (walk, { photograph }) =>
    useTool(walk, {
      path: "/image-convert",
      files: [photograph],
      action: "Convert",
      set: (page) => walk.click(page.getByText("JPEG", { exact: true })),
    }),
  encrypt: (walk, { large }) =>
    useTool(walk, {
      path: "/file-encrypt",
      files: [large],
      action: "Encrypt",
      set: (page) => walk.type(page.getByRole("textbox", { name: "Password" }), "gate7"),
    }),
  checksum: checkFile,
  compare: compareTexts,
  password: makePasswords,
  account: openSettings,
  find: findPage,
  looks: changeLooks,
};

async function shareText(walk: Walk): Promise<void> {
  const page = await walk.open("/");
  await walk.type(page.locator("#secret"), "Wi-Fi");
  await walk.click(page.getByRole("button", { name: "Create link" }));
  await walk.click(page.getByRole("button", { name: "Copy link" }));
  const link = await page.getByLabel("The link", { exact: true }).innerText();
  const reader = await walk.open(link);
  await walk.click(reader.getByRole("button", { name: "Open the secret" }));
  await walk.click(reader.getByRole("button", { name: "I have it, delete it now" }));
}

async function askAndAnswer(walk: Walk): Promise<void> {
  const page = await walk.open("/ask");
  await walk.type(page.getByLabel("What do you need? (optional)"), "Wi-Fi", "the question");
  await walk.click(page.getByRole("button", { name: "Create request" }));
  const linkOf = (name: string) => page.getByRole("textbox", { name }).innerText();
  const keep = await linkOf("Link to keep");
  const answerer = await walk.open(await linkOf("Link to send"));
  await walk.type(answerer.getByLabel("Your answer"), "12345", "the answer");
  await walk.click(answerer.getByRole("button", { name: "Send the answer" }));
  const asker = await walk.open(keep);
  await walk.click(asker.getByRole("button", { name: "Read the answer" }));
}

interface ToolUse {
  readonly path: string;
  readonly files: readonly string[];
  /** The button that starts the work. */
  readonly action: string;
  /** Sets the options. */
  readonly set: (page: Page, walk: Walk) => Promise<void>;
}

/** Chooses files without the system's dialog, sets options, and has the work done. */
async function useTool(walk: Walk, { path, files, action, set }: ToolUse): Promise<void> {
  const page = await walk.open(path);
  const button = page.getByRole("button", { name: action, exact: true });
  const chosen = page
    .locator("main input[type=file]")
    .first()
    .setInputFiles([...files]);
  await walk.clickUntil(
    page,
    "files are read",
    chosen.then(() => button.waitFor()),
  );
  await set(page, walk);
  await walk.click(button);
  await walk.clickUntil(page, "it works", page.locator("main a[download]").first().waitFor());
}

function choosePages(field: string): ToolUse["set"] {
  return async (page, walk) => {
    for (const number of [2, 5])
      await walk.click(page.getByRole("button", { name: `Page ${number}`, exact: true }));
    await walk.type(page.getByLabel(field), ",9", "the range");
  };
}

async function sortFiles(page: Page, walk: Walk): Promise<void> {
  const second = page.locator(".merge li").nth(1);
  await walk.type(second.getByRole("textbox").first(), "1-2", "the range");
  await walk.click(second.getByRole("button", { name: /up$/ }), "up");
}

async function checkFile(walk: Walk, { large }: FlowFiles): Promise<void> {
  const page = await walk.open("/file-hash");
  const chosen = page.locator("main input[type=file]").first().setInputFiles(large);
  const field = page.getByLabel("Expected checksum");
  await walk.clickUntil(
    page,
    "the file is read",
    chosen.then(() => field.waitFor()),
  );
  await walk.type(field, "d41d8", "the checksum");
}

/** Two texts of about 400 lines, pasted. */
async function compareTexts(walk: Walk): Promise<void> {
  const page = await walk.open("/text-compare");
  const { a, b } = makeOrdinary(COMPARED_MEGABYTES);
  await paste(walk, page.getByLabel("First text", { exact: true }), a);
  await paste(walk, page.getByLabel("Second text", { exact: true }), b);
  await walk.click(page.getByRole("button", { name: "Compare", exact: true }));
  await walk.click(page.getByRole("button", { name: "Next change" }));
  await walk.click(page.getByText("Unified"));
  await walk.click(page.getByText("Words", { exact: true }));
  await walk.press(page, "n");
}

async function paste(walk: Walk, field: Locator, text: string): Promise<void> {
  const page = field.page();
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await walk.click(field);
  await walk.press(page, "Control+v");
}

/** A page of one button and one textarea without a script: as many clicks and keys as an ordinary flow has. */
export async function useBarePage(walk: Walk): Promise<Page> {
  const page = await walk.open("/healthz");
  await page.setContent("<button>Create link</button><textarea></textarea>");
  for (let i = 0; i < 4; i++) await walk.click(page.locator("button"));
  await walk.type(page.locator("textarea"), "Wi-Fi");
  return page;
}

/** The same page, into which a text to compare is pasted. */
export async function pasteIntoBarePage(walk: Walk): Promise<void> {
  const page = await useBarePage(walk);
  await paste(walk, page.locator("textarea"), makeOrdinary(COMPARED_MEGABYTES).a);
}

async function makePasswords(walk: Walk): Promise<void> {
  const page = await walk.open("/password");
  await walk.click(page.getByRole("button", { name: "Another" }));
  await walk.click(page.getByText("Words", { exact: true }));
  await walk.click(page.getByText("By length"));
  await walk.click(page.getByText("How strong is a password of yours?"));
  await walk.type(page.getByRole("textbox", { name: "Your password" }), "horse");
}

async function openSettings(walk: Walk): Promise<void> {
  const page = await walk.open("/account");
  await walk.click(page.getByText("Create an account"));
  await walk.type(page.getByLabel("Name"), "ada", "the name");
  // Not every letter is measured, but the name must be a new one, and the password long enough.
  await page.keyboard.insertText(crypto.randomUUID().slice(0, 8));
  await walk.type(page.getByRole("textbox", { name: "Password" }), "a l");
  await page.keyboard.insertText("ong password");
  await walk.click(page.getByRole("button", { name: "Create account" }));
  await walk.click(page.getByRole("button", { name: "I have saved it" }));
  await walk.click(page.getByText("Change the password"));
  await walk.click(page.getByText("Delete the account", { exact: true }));
}

async function findPage(walk: Walk): Promise<void> {
  const page = await walk.open("/tools");
  await walk.press(page, "Control+k");
  await page.locator(".finder").waitFor();
  await walk.press(page, "p", "d", "f", "ArrowDown", "ArrowDown", "Enter");
  await walk.press(page, "Control+k");
  await page.locator(".finder").waitFor();
  await walk.press(page, "Escape");
}

async function changeLooks(walk: Walk): Promise<void> {
  for (const path of ["/", "/tools"]) {
    const page = await walk.open(path);
    const button = page.locator(".looks button");
    for (const name of ["to light", "to dark", "to the system's"]) await walk.click(button, name);
    await page.locator(".looks select").focus();
    await walk.press(page, "ArrowDown", "ArrowDown", "ArrowDown");
  }
}
