import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { makePdf, scannedPage, textPage } from "../support/pdf-files.ts";
import { makePhotograph } from "../images/photograph.ts";
import { makeOrdinary } from "../support/texts.ts";
import type { Visitor } from "./visitor.ts";

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
  const scanned = scannedPage({ data: jpeg, filter: "DCTDecode", ...PHOTOGRAPH, isGray: false });
  return {
    text: put("report.pdf", makePdf(PAGES, textPage)),
    scans: put("scans.pdf", makePdf(SCANS, scanned)),
    photograph: put("photograph.jpg", jpeg),
    large: put("large.bin", new Uint8Array(LARGE_BYTES).fill(7)),
    drop: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** What somebody does from the first click to the last. */
export type Flow = (visitor: Visitor, files: FlowFiles) => Promise<unknown>;

export const FLOWS: Readonly<Record<string, Flow>> = {
  share: shareText,
  ask: askAndAnswer,
  rotate: (visitor, { text }) =>
    useTool(visitor, {
      path: "/pdf-rotate",
      files: [text],
      action: "Rotate",
      set: choosePages("Pages to turn"),
    }),
  split: (visitor, { text }) =>
    useTool(visitor, {
      path: "/pdf-split",
      files: [text],
      action: "Split",
      set: choosePages("Pages to keep"),
    }),
  merge: (visitor, { text, scans }) =>
    useTool(visitor, { path: "/pdf-merge", files: [text, scans], action: "Merge 2 files", set: sortFiles }),
  clean: (visitor, { text }) =>
    useTool(visitor, {
      path: "/pdf-clean",
      files: [text],
      action: "Clean",
      set: (page) => visitor.click(page.locator("main fieldset label").first(), "a kind to remove"),
    }),
  compress: (visitor, { scans }) =>
    useTool(visitor, {
      path: "/pdf-compress",
      files: [scans],
      action: "Compress",
      set: (page) => visitor.click(page.getByText("As small as possible")),
    }),
  lock: (visitor, { text }) =>
    useTool(visitor, {
      path: "/pdf-lock",
      files: [text],
      action: "Lock",
      set: (page) => visitor.type(page.getByRole("textbox", { name: "New password" }), "gate7"),
    }),
  convert: (visitor, { photograph }) =>
    useTool(visitor, {
      path: "/image-convert",
      files: [photograph],
      action: "Convert",
      set: (page) => visitor.click(page.getByText("JPEG", { exact: true })),
    }),
  encrypt: (visitor, { large }) =>
    useTool(visitor, {
      path: "/file-encrypt",
      files: [large],
      action: "Encrypt",
      set: (page) => visitor.type(page.getByRole("textbox", { name: "Password" }), "gate7"),
    }),
  checksum: checkFile,
  compare: compareTexts,
  password: makePasswords,
  account: openSettings,
  find: findPage,
  looks: changeLooks,
};

async function shareText(visitor: Visitor): Promise<void> {
  const page = await visitor.open("/");
  await visitor.type(page.locator("#secret"), "Wi-Fi");
  await visitor.click(page.getByRole("button", { name: "Create link" }));
  await visitor.click(page.getByRole("button", { name: "Copy link" }));
  const link = await page.getByLabel("The link", { exact: true }).innerText();
  const reader = await visitor.open(link);
  await visitor.click(reader.getByRole("button", { name: "Open the secret" }));
  await visitor.click(reader.getByRole("button", { name: "I have it, delete it now" }));
}

async function askAndAnswer(visitor: Visitor): Promise<void> {
  const page = await visitor.open("/ask");
  await visitor.type(page.getByLabel("What do you need? (optional)"), "Wi-Fi", "the question");
  await visitor.click(page.getByRole("button", { name: "Create request" }));
  const linkOf = (name: string) => page.getByRole("textbox", { name }).innerText();
  const keep = await linkOf("Link to keep");
  const answerer = await visitor.open(await linkOf("Link to send"));
  await visitor.type(answerer.getByLabel("Your answer"), "12345", "the answer");
  await visitor.click(answerer.getByRole("button", { name: "Send the answer" }));
  const asker = await visitor.open(keep);
  await visitor.click(asker.getByRole("button", { name: "Read the answer" }));
}

interface ToolUse {
  readonly path: string;
  readonly files: readonly string[];
  /** The button that starts the work. */
  readonly action: string;
  /** Sets the options. */
  readonly set: (page: Page, visitor: Visitor) => Promise<void>;
}

/** Chooses files without the system's dialog, sets options, and has the work done. */
async function useTool(visitor: Visitor, { path, files, action, set }: ToolUse): Promise<void> {
  const page = await visitor.open(path);
  const button = page.getByRole("button", { name: action, exact: true });
  const chosen = page
    .locator("main input[type=file]")
    .first()
    .setInputFiles([...files]);
  await visitor.clickUntil(
    page,
    "files are read",
    chosen.then(() => button.waitFor()),
  );
  await set(page, visitor);
  await visitor.click(button);
  await visitor.clickUntil(page, "it works", page.locator("main a[download]").first().waitFor());
}

function choosePages(field: string): ToolUse["set"] {
  return async (page, visitor) => {
    for (const number of [2, 5])
      await visitor.click(page.getByRole("button", { name: `Page ${number}`, exact: true }));
    await visitor.type(page.getByLabel(field), ",9", "the range");
  };
}

async function sortFiles(page: Page, visitor: Visitor): Promise<void> {
  const second = page.locator(".merge li").nth(1);
  await visitor.type(second.getByRole("textbox").first(), "1-2", "the range");
  await visitor.click(second.getByRole("button", { name: /up$/ }), "up");
}

async function checkFile(visitor: Visitor, { large }: FlowFiles): Promise<void> {
  const page = await visitor.open("/file-hash");
  const chosen = page.locator("main input[type=file]").first().setInputFiles(large);
  const field = page.getByLabel("Expected checksum");
  await visitor.clickUntil(
    page,
    "the file is read",
    chosen.then(() => field.waitFor()),
  );
  await visitor.type(field, "d41d8", "the checksum");
}

/** Two texts of about 400 lines, pasted. */
async function compareTexts(visitor: Visitor): Promise<void> {
  const page = await visitor.open("/text-compare");
  const { a, b } = makeOrdinary(COMPARED_MEGABYTES);
  await paste(visitor, page.getByLabel("First text", { exact: true }), a);
  await paste(visitor, page.getByLabel("Second text", { exact: true }), b);
  await visitor.click(page.getByRole("button", { name: "Compare", exact: true }));
  await visitor.click(page.getByRole("button", { name: "Next change" }));
  await visitor.click(page.getByText("Unified"));
  await visitor.click(page.getByText("Words", { exact: true }));
  await visitor.press(page, "n");
}

async function paste(visitor: Visitor, field: Locator, text: string): Promise<void> {
  const page = field.page();
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await visitor.click(field);
  await visitor.press(page, "Control+v");
}

/** A page of one button and one textarea without a script: as many clicks and keys as an ordinary flow has. */
export async function useBarePage(visitor: Visitor): Promise<Page> {
  const page = await visitor.open("/healthz");
  await page.setContent("<button>Create link</button><textarea></textarea>");
  for (let i = 0; i < 4; i++) await visitor.click(page.locator("button"));
  await visitor.type(page.locator("textarea"), "Wi-Fi");
  return page;
}

/** The same page, into which a text to compare is pasted. */
export async function pasteIntoBarePage(visitor: Visitor): Promise<void> {
  const page = await useBarePage(visitor);
  await paste(visitor, page.locator("textarea"), makeOrdinary(COMPARED_MEGABYTES).a);
}

async function makePasswords(visitor: Visitor): Promise<void> {
  const page = await visitor.open("/password");
  await visitor.click(page.getByRole("button", { name: "Another" }));
  await visitor.click(page.getByText("Words", { exact: true }));
  await visitor.click(page.getByText("By length"));
  await visitor.click(page.getByText("How strong is a password of yours?"));
  await visitor.type(page.getByRole("textbox", { name: "Your password" }), "horse");
}

async function openSettings(visitor: Visitor): Promise<void> {
  const page = await visitor.open("/account");
  await visitor.click(page.getByText("Create an account"));
  await visitor.type(page.getByLabel("Name"), "ada", "the name");
  // Not every letter is measured, but the name must be a new one, and the password long enough.
  await page.keyboard.insertText(crypto.randomUUID().slice(0, 8));
  await visitor.type(page.getByRole("textbox", { name: "Password" }), "a l");
  await page.keyboard.insertText("ong password");
  await visitor.click(page.getByRole("button", { name: "Create account" }));
  await visitor.click(page.getByRole("button", { name: "I have saved it" }));
  await visitor.click(page.getByText("Change the password"));
  await visitor.click(page.getByText("Delete the account", { exact: true }));
}

async function findPage(visitor: Visitor): Promise<void> {
  const page = await visitor.open("/tools");
  await visitor.press(page, "Control+k");
  await page.locator(".finder").waitFor();
  await visitor.press(page, "p", "d", "f", "ArrowDown", "ArrowDown", "Enter");
  await visitor.press(page, "Control+k");
  await page.locator(".finder").waitFor();
  await visitor.press(page, "Escape");
}

async function changeLooks(visitor: Visitor): Promise<void> {
  for (const path of ["/", "/tools"]) {
    const page = await visitor.open(path);
    const button = page.locator(".looks button");
    for (const name of ["to light", "to dark", "to the system's"]) await visitor.click(button, name);
    await page.locator(".looks select").focus();
    await visitor.press(page, "ArrowDown", "ArrowDown", "ArrowDown");
  }
}
