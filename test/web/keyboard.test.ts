// browser
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect } from "vitest";
import { pagesPdf } from "../tools/pdf/support/pdf-made.ts";
import { browserTest, openStage, type Stage } from "./support/browser.ts";
import { downloadBy } from "./support/download-by.ts";
import { chooseFile, press, tabTo, walkTo, type TestFile } from "./support/keyboard.ts";

// What other tests do by keyboard too is not here: files as secrets, requests and answers, options.

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

function pdfOf(name: string, pages: number): TestFile {
  return { name, mimeType: "application/pdf", buffer: Buffer.from(pagesPdf(pages)) };
}

const LOCKED: TestFile = {
  name: "locked.pdf",
  mimeType: "application/pdf",
  buffer: readFileSync(new URL("../files/encrypted/aes-256-r6.pdf", import.meta.url)),
};

async function typeInto(field: Locator, text: string): Promise<void> {
  await tabTo(field);
  await field.page().keyboard.insertText(text);
}

// Stop for stop, over whole pages, in the first test alone.
async function walkAndType(field: Locator, text: string): Promise<void> {
  await walkTo(field);
  await field.page().keyboard.insertText(text);
}

async function walkAndPress(control: Locator): Promise<void> {
  await walkTo(control);
  await control.page().keyboard.press("Enter");
}

/** Saves the result with Enter, and gives its name. */
async function save(page: Page): Promise<string> {
  const saved = await downloadBy(page, () => press(page.getByRole("link", { name: "Save", exact: true })));
  return saved.suggestedFilename();
}

browserTest(
  "a text is shared, its link opened from the menu, and the page left, by keyboard alone",
  async () => {
    const { page, complaints } = await stage.open("/");
    await walkAndType(page.getByLabel("Your secret", { exact: true }), "by keys");
    await walkAndPress(page.getByRole("button", { name: "Passphrase", exact: true }));
    await walkAndPress(page.getByRole("button", { name: "Suggest a passphrase" }));
    // The list of words comes when it is first asked for.
    await page.locator(".copyable").waitFor();
    const passphrase = await page.getByRole("textbox", { name: "Passphrase" }).inputValue();
    await walkAndPress(page.getByRole("button", { name: "Create link" }));
    const link = await page.getByLabel("The link", { exact: true }).innerText();
    await page.keyboard.press("Home");
    await walkAndPress(page.getByRole("button", { name: "Share another secret" }));
    await walkAndPress(page.getByRole("button", { name: "Leave" }));
    await page.getByLabel("Your secret", { exact: true }).waitFor();
    await walkAndPress(page.getByRole("navigation").getByRole("link", { name: "Tools" }));
    await walkAndPress(page.getByRole("main").getByRole("link", { name: "Open a link" }));
    await walkAndType(page.getByLabel("Link", { exact: true }), link);
    await page.keyboard.press("Enter");
    await walkAndType(page.getByRole("textbox", { name: "Passphrase" }), passphrase);
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "The secret" }).getByText("by keys").waitFor();
    expect(complaints).toEqual([]);
  },
);

browserTest("pages are chosen, turned and saved, put in order and split, by keyboard alone", async () => {
  const { page, complaints } = await stage.open("/pdf-rotate");
  await chooseFile(page, pdfOf("four.pdf", 4));
  await tabTo(page.getByRole("radio", { name: "Right" }));
  await page.keyboard.press("ArrowRight");
  await tabTo(page.getByRole("button", { name: "Page 1", exact: true }));
  await page.keyboard.press("Space");
  await tabTo(page.getByRole("button", { name: "Page 3", exact: true }));
  await page.keyboard.press("Shift+Space");
  expect(await page.getByLabel("Pages to turn").inputValue()).toBe("1-3");
  await press(page.getByRole("button", { name: "Rotate", exact: true }));
  await page.getByText("3 of 4 pages").waitFor();
  expect(await save(page)).toBe("four-rotated.pdf");
  await press(page.getByRole("button", { name: "Split" }));
  await page.getByRole("heading", { name: "Split a PDF" }).waitFor();
  await typeInto(page.getByLabel("Pages to keep"), "2-4");
  await tabTo(page.getByRole("button", { name: "Move Page 2 down" }));
  await page.keyboard.press("Alt+ArrowRight");
  expect(await page.getByLabel("Pages to keep").inputValue()).toBe("3-2,4");
  await press(page.getByRole("button", { name: "Split", exact: true }));
  expect(await save(page)).toBe("four-rotated-pages.pdf");
  expect(complaints).toEqual([]);
});

browserTest("files are put in order and merged, and one unlocked, by keyboard alone", async () => {
  const { page, complaints } = await stage.open("/pdf-merge");
  await chooseFile(page, pdfOf("one.pdf", 1), pdfOf("two.pdf", 2), LOCKED);
  await typeInto(page.getByLabel("Password of locked.pdf"), "geheim");
  await tabTo(page.getByLabel("Pages of two.pdf"));
  await page.keyboard.press("Alt+ArrowUp");
  await page.getByRole("status").getByText("two.pdf is now number 1 of 3").waitFor();
  await page.keyboard.insertText("2");
  await press(page.getByRole("button", { name: "Remove one.pdf" }));
  await press(page.getByRole("button", { name: "Merge 2 files" }));
  expect(await save(page)).toBe("merged.pdf");
  await press(page.getByRole("navigation").getByRole("link", { name: "Unlock" }));
  // Until then the page before it takes files.
  await page.getByRole("heading", { name: "Unlock a PDF" }).waitFor();
  await chooseFile(page, LOCKED);
  await typeInto(page.getByRole("textbox", { name: "PDF password" }), "geheim");
  await page.keyboard.press("Enter");
  expect(await save(page)).toBe("locked-unlocked.pdf");
  expect(complaints).toEqual([]);
});

browserTest("a file is checked, and the line in a converted image moved, by keyboard alone", async () => {
  const { page, complaints } = await stage.open("/file-hash");
  await chooseFile(page, { name: "abc.txt", mimeType: "text/plain", buffer: Buffer.from("abc") });
  await typeInto(page.getByLabel("Expected checksum"), "900150983cd24fb0d6963f7d28e17f72");
  await page.getByText("The MD5 checksum is the one you expected.").waitFor();
  await press(
    page.getByRole("navigation", { name: "Files" }).getByRole("link", { name: "Convert an image" }),
  );
  await page.getByRole("heading", { name: "Convert an image" }).waitFor();
  const picture = sharp({ create: { width: 40, height: 30, channels: 3, background: "red" } });
  await chooseFile(page, { name: "a.png", mimeType: "image/png", buffer: await picture.png().toBuffer() });
  await tabTo(page.getByRole("slider", { name: "Quality" }));
  await page.keyboard.press("Home");
  await page.keyboard.press("Control+Enter");
  const line = page.getByRole("slider", { name: "Line between before and after" });
  await tabTo(line);
  await page.keyboard.press("End");
  expect(await page.locator(".pictures").getAttribute("style")).toContain("--line: 100%");
  expect(complaints).toEqual([]);
});

browserTest("an account is made, used and deleted, by keyboard alone", async () => {
  const { page, complaints } = await stage.open("/account");
  await tabTo(page.getByRole("radio", { name: "Log in", exact: true }));
  await page.keyboard.press("ArrowRight");
  await typeInto(page.getByLabel("Name"), "keys");
  await typeInto(page.getByRole("textbox", { name: "Password" }), "a long password");
  await page.keyboard.press("Enter");
  await press(page.getByRole("button", { name: "I have saved it" }));
  await press(page.getByRole("button", { name: "Log out", exact: true }).first());
  // Until then the account is there, which has a field of this name too, for a passkey.
  await page.getByRole("button", { name: "Log in", exact: true }).waitFor();
  await typeInto(page.getByLabel("Name"), "keys");
  await typeInto(page.getByRole("textbox", { name: "Password" }), "a long password");
  await page.keyboard.press("Enter");
  await typeInto(page.getByLabel("What it is for"), "Backup");
  await tabTo(page.getByLabel("Expires after"));
  await page.keyboard.press("ArrowDown");
  await press(page.getByRole("button", { name: "Create token" }));
  expect(await page.getByLabel("The new token").inputValue()).toMatch(/\w{20}/);
  await press(page.getByRole("button", { name: "Revoke Backup" }));
  await press(page.getByRole("button", { name: "Yes, revoke it" }));
  await page.getByText("Backup", { exact: true }).waitFor({ state: "detached" });
  await press(page.getByText("Delete the account", { exact: true }));
  await typeInto(page.getByRole("textbox", { name: "Your password" }), "a long password");
  await page.keyboard.press("Enter");
  await page.getByText("Your account has been deleted.").waitFor();
  expect(complaints).toEqual([]);
});

browserTest(
  "the language and the theme are changed by keyboard alone, and another tool is reached on a phone",
  async () => {
    const { page, complaints } = await stage.open("/password", { viewport: { width: 390, height: 844 } });
    await tabTo(page.getByLabel("Language"));
    await page.keyboard.type("Deu");
    await page.getByRole("heading", { name: "Ein Passwort erzeugen" }).waitFor();
    await page.getByLabel("Sprache").and(page.locator(":focus")).waitFor();
    await press(page.getByRole("button", { name: /^Darstellung/ }));
    expect(await page.locator("html").getAttribute("data-theme")).toBe("light");
    await press(page.getByRole("navigation", { name: "Text" }).getByRole("link", { name: "Vergleichen" }));
    await page.getByRole("heading", { name: "Zwei Texte vergleichen" }).and(page.locator(":focus")).waitFor();
    expect(complaints).toEqual([]);
  },
);

browserTest("a tool is found by what people call it, and Escape leads back, by keyboard alone", async () => {
  const { page, complaints, requests } = await stage.open("/", { locale: "de-DE" });
  await page.getByRole("heading", { name: "Ein Geheimnis teilen" }).waitFor();
  expect(requests.filter((request) => request.includes("find"))).toEqual([]);
  const secret = page.getByLabel("Ihr Geheimnis");
  await typeInto(secret, "bleibt");
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Seite oder Werkzeug" });
  await field.and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Escape");
  await secret.and(page.locator(":focus")).waitFor();
  await secret.fill("");
  await press(page.getByRole("button", { name: "Seite oder Werkzeug finden" }));
  await field.and(page.locator(":focus")).waitFor();
  await page.keyboard.insertText("zzz");
  await page.getByText("Keine Treffer.").waitFor();
  await field.fill("bild");
  const options = page.getByRole("listbox", { name: "Seiten und Werkzeuge" }).getByRole("option");
  await expect.poll(() => options.count()).toBe(2);
  expect(await options.first().getAttribute("aria-selected")).toBe("true");
  await page.keyboard.press("ArrowDown");
  const active = await field.getAttribute("aria-activedescendant");
  expect(await options.nth(1).getAttribute("id")).toBe(active);
  await page.keyboard.press("Enter");
  const heading = page.getByRole("heading", { name: "PDFs zusammenfügen" });
  await heading.and(page.locator(":focus")).waitFor();
  expect(complaints).toEqual([]);
});

browserTest("what has the focus is wholly in sight in rows that a window at 400 percent cuts", async () => {
  const { page } = await stage.open("/image-convert", { viewport: { width: 320, height: 512 } });
  await expectWhole(page.locator(".strip a").last());
  await page.goto(`${stage.url}/pdf-rotate`);
  await page.locator("main input[type=file]").setInputFiles(pdfOf("a.pdf", 6));
  for (const sheet of [3, 4])
    await expectWhole(page.getByRole("button", { name: `Page ${sheet}`, exact: true }));
});

/** Reaches a control stop for stop, and looks whether all of its width is in the window. */
async function expectWhole(control: Locator): Promise<void> {
  await walkTo(control);
  const { x = NaN, width = NaN } = (await control.boundingBox()) ?? {};
  // What scrolls stops at whole pixels, and text has other widths.
  expect(x).toBeGreaterThan(-1);
  expect(x + width).toBeLessThan(321);
}
