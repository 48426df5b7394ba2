// browser
import { readdirSync, readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createClient } from "../../client/client.ts";
import { pagesPdf } from "../tools/pdf/support/pdf-made.ts";
import { browserTest, openStage, type Stage } from "./support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const pdf = (name: string) => ({ name, mimeType: "application/pdf", buffer: Buffer.from(pagesPdf(2)) });

async function share(content: string): Promise<string> {
  const { url } = await createClient(stage.url).secrets.create.mutate({ content });
  return url.slice(stage.url.length);
}

const WEB = new URL("../../web/", import.meta.url);
/** What is chosen, and not written. */
const CHOSEN = /type="(?:file|number|range|radio|checkbox|color)"/;

test("has no field whose text browsers write to the disk, to bring it again after their own end", () => {
  const sources = readdirSync(WEB, { recursive: true, encoding: "utf8" });
  const fields = sources
    .filter((file) => file.endsWith(".tsx"))
    .flatMap((file) => readFileSync(new URL(file, WEB), "utf8").match(/<(?:input|textarea)\b.*?\/>/gs) ?? []);
  expect(fields.length).toBeGreaterThan(20);
  const kept = fields.filter((field) => !CHOSEN.test(field) && !/\bautocomplete=/.test(field));
  expect(kept).toEqual([]);
});

/** Follows a link of the navigation, and answers the question that must come. */
async function leave(
  page: Page,
  { to, answer }: { to: string; answer: "Stay here" | "Leave" },
): Promise<void> {
  await page.getByRole("link", { name: to, exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: answer }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Closes a page, and answers what kind of question comes; a page that asks nothing is gone, which is an error. */
async function questionOfClosing(page: Page): Promise<string> {
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const dialog = await asked;
  await dialog.dismiss();
  return dialog.type();
}

browserTest(
  "asks nothing on the way to another page, and brings typed text again; closing asks",
  async () => {
    const { page, complaints } = await stage.open("/");
    await page.getByLabel("Your secret", { exact: true }).fill("half written");
    await page.getByRole("link", { name: "Ask", exact: true }).click();
    await page.getByRole("heading", { name: "Ask for a secret" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Share a secret" }).waitFor();
    expect(await page.getByLabel("Your secret", { exact: true }).inputValue()).toBe("half written");
    await page.goForward();
    await page.getByRole("heading", { name: "Ask for a secret" }).click();
    expect(await questionOfClosing(page)).toBe("beforeunload");
    expect(complaints).toEqual([]);
  },
);

browserTest("asks before Back leaves an opened secret, until it is copied", async () => {
  const { page } = await stage.open("/open");
  await page.goto(stage.url + (await share("read me")));
  await page.getByRole("button", { name: "Open the secret" }).click();
  await page.getByText("read me").waitFor();
  await page.getByRole("link", { name: "Share a secret of your own" }).click();
  // Screen readers say the title and the reason when the question comes.
  const description = /^This page has the only copy of the secret/;
  await page.getByRole("dialog", { name: "Leave this page?", description }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByText("read me").waitFor();
  await page.getByRole("button", { name: "Copy" }).click();
  await page.getByRole("link", { name: "Share a secret of your own" }).click();
  await page.getByRole("heading", { name: "Share a secret" }).waitFor();
});

/** Selects the first characters of a text, or all of it, and copies them with the keys. */
async function copyByHand(part: Locator, length?: number): Promise<void> {
  await part.evaluate((element: HTMLElement, end) => {
    element.focus();
    if (element instanceof HTMLInputElement) return element.setSelectionRange(0, end ?? element.value.length);
    const range = document.createRange();
    range.selectNodeContents(element);
    const { firstChild } = element;
    if (end !== undefined && firstChild) range.setEnd(firstChild, end);
    const selection = getSelection();
    selection?.removeAllRanges();
    selection?.addRange(range);
  }, length);
  await part.page().keyboard.press("Control+c");
}

browserTest("asks until all of an opened secret is copied by hand, with its lines and blanks", async () => {
  const { page } = await stage.open("/open");
  await page.goto(stage.url + (await share("  one\r\n\ttwo  \n\nthree\n")));
  await page.getByRole("button", { name: "Open the secret" }).click();
  const secret = page.locator("pre.secret");
  await secret.waitFor();
  await copyByHand(secret, 8);
  await leave(page, { to: "Share a secret of your own", answer: "Stay here" });
  await copyByHand(secret);
  await page.getByRole("link", { name: "Share a secret of your own" }).click();
  await page.getByRole("heading", { name: "Share a secret" }).waitFor();
});

browserTest("asks until all of a new link is copied by hand, of one and of several", async () => {
  for (const people of ["", "Ada"]) {
    const { page } = await stage.open("/");
    await page.getByLabel("Your secret", { exact: true }).fill("for one");
    if (people !== "") {
      await page.locator("summary", { hasText: "One link per person" }).click();
      await page.getByRole("textbox", { name: "One link per person" }).fill(people);
    }
    await page.getByRole("button", { name: /^Create / }).click();
    const link = page.getByRole("textbox", { name: people === "" ? "The link" : /Ada/ });
    await copyByHand(link, 8);
    await leave(page, { to: "Tools", answer: "Stay here" });
    await copyByHand(link);
    await page.getByRole("link", { name: "Tools", exact: true }).click();
    await page.getByRole("heading", { name: "Tools", level: 1 }).waitFor();
  }
});

browserTest("asks nothing where Back leaves a merge list, and Forward brings the list again", async () => {
  const { page, complaints } = await stage.open("/tools");
  await page.getByRole("link", { name: "Merge PDFs" }).click();
  await page.locator("main input[type=file]").setInputFiles([pdf("a.pdf"), pdf("b.pdf")]);
  await page.getByText("a.pdf").first().waitFor();
  await page.goBack();
  await page.getByRole("heading", { name: "All tools" }).waitFor();
  await page.goForward();
  await page.locator(".merge li").nth(1).waitFor();
  expect(complaints).toEqual([]);
});

browserTest("asks before a result is left that is not saved, and marks it as old", async () => {
  const { page } = await stage.open("/pdf-rotate");
  await page.locator("main input[type=file]").setInputFiles(pdf("a.pdf"));
  await page.getByRole("button", { name: "Rotate" }).click();
  await page.getByRole("region", { name: "Result" }).waitFor();
  expect(await page.getByText("You have changed something").count()).toBe(0);
  await page.getByText("Upside down").click();
  await page.getByText("You have changed something").waitFor();
  await page.getByRole("button", { name: "Rotate" }).click();
  await page.getByText("You have changed something").waitFor({ state: "detached" });
  await leave(page, { to: "Split", answer: "Stay here" });
  await page.getByRole("link", { name: "Save", exact: true }).click();
  await page.getByRole("link", { name: "Split", exact: true }).click();
  await page.getByRole("heading", { name: "Split a PDF" }).waitFor();
});

browserTest(
  "keeps a result that is not saved when files are added, and asks before the last one goes",
  async () => {
    for (const [path, button, added] of [
      ["/pdf-rotate", "Rotate", "b.pdf"],
      ["/pdf-merge", "Create PDF", "b.pdf"],
      ["/image-convert", "Convert", "b.png"],
    ] as const) {
      const { page } = await stage.open(path);
      const input = page.locator("main input[type=file]");
      const fileOf = async (name: string) => {
        if (name.endsWith(".pdf")) return pdf(name);
        const pixels = { create: { width: 40, height: 30, channels: 3, background: "red" } } as const;
        return { name, mimeType: "image/png", buffer: await sharp(pixels).png().toBuffer() };
      };
      const first = added.replace("b", "a");
      await input.setInputFiles(await fileOf(first));
      await page.getByRole("button", { name: button, exact: true }).click();
      const result = page.getByRole("region", { name: "Result" });
      const name = await result.locator(".made strong").textContent();
      await input.setInputFiles(await fileOf(added));
      await page.getByText(added, { exact: true }).first().waitFor();
      await result.getByText("You have changed something").waitFor();
      expect(await result.locator(".made strong").textContent()).toBe(name);
      await page.getByRole("button", { name: `Remove ${added}` }).click();
      await result.getByText("You have changed something").waitFor({ state: "detached" });
      const last = page.getByRole("button", { name: /^(Choose another file|Remove a\.pdf)$/ });
      await last.click();
      await page.getByRole("dialog").getByRole("button", { name: "Stay here" }).click();
      await result.getByRole("link", { name: "Save", exact: true }).click();
      await last.click();
      await result.waitFor({ state: "detached" });
    }
  },
);

browserTest("marks a comparison as old when a text changes", async () => {
  const { page } = await stage.open("/text-compare");
  await page.getByLabel("First text", { exact: true }).fill("one");
  await page.getByLabel("Second text", { exact: true }).fill("two");
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByText("1 line removed").waitFor();
  await page.getByLabel("Second text", { exact: true }).fill("one");
  await page.getByText("You have changed something").waitFor();
});

browserTest("shows a suggested passphrase, and repeats it beside the link", async () => {
  const { page } = await stage.open("/");
  await page.getByLabel("Your secret", { exact: true }).fill("behind words");
  await page.getByRole("button", { name: "Passphrase", exact: true }).click();
  await page.getByRole("button", { name: "Suggest a passphrase" }).click();
  const passphrase = (await page.locator(".copyable code").textContent()) ?? "";
  expect(passphrase).toMatch(/^([a-z]+-){4,}[a-z]+$/);
  await page.getByRole("button", { name: "Create link" }).click();
  const link = await page.getByLabel("The link", { exact: true }).innerText();
  const panel = page.getByRole("region", { name: "The passphrase" });
  expect(await panel.locator("code").textContent()).toBe(passphrase);
  await panel.getByRole("button", { name: "Copy" }).waitFor();
  const other = await stage.open(link.slice(stage.url.length));
  await other.page.getByRole("textbox", { name: "Passphrase" }).fill(passphrase);
  await other.page.getByRole("button", { name: "Open the secret" }).click();
  await other.page.getByText("behind words").waitFor();
});

browserTest("shows a suggested password beside the locked file", async () => {
  const { page } = await stage.open("/file-encrypt");
  await page.locator("main input[type=file]").setInputFiles(pdf("a.pdf"));
  await page.getByRole("button", { name: "Suggest a password" }).click();
  const password = (await page.locator(".copyable code").textContent()) ?? "";
  await page.getByRole("button", { name: "Encrypt", exact: true }).click();
  const result = page.getByRole("region", { name: "Result" });
  expect(await result.locator(".copyable code").textContent()).toBe(password);
});

browserTest(
  "says after a reload that the secret was opened in this tab, and to others that it is gone",
  async () => {
    const link = await share("read and reloaded");
    const { page } = await stage.open(link);
    await page.getByRole("button", { name: "Open the secret" }).click();
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("button", { name: "I have it, delete it now" }).click();
    await page.getByText("It has been deleted from the server").waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "You have already opened this secret" }).waitFor();
    const kept = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    expect(kept).not.toContain(link.split("#")[1]);
    const other = await stage.open(link);
    await other.page.getByRole("heading", { name: "This secret was opened before you" }).waitFor();
  },
);

browserTest("prints a long secret whole and in black", async () => {
  const text = Array.from({ length: 200 }, (_, i) => `line ${i}`).join("\n");
  const { page } = await stage.open(await share(text), { colorScheme: "dark" });
  await page.getByRole("button", { name: "Open the secret" }).click();
  const box = page.getByRole("region", { name: "The secret" });
  await box.waitFor();
  await page.emulateMedia({ media: "print" });
  const { color, hidden } = await box.evaluate((element) => ({
    color: getComputedStyle(element).color,
    hidden: element.scrollHeight - element.clientHeight,
  }));
  expect([color, hidden]).toEqual(["rgb(0, 0, 0)", 0]);
  expect(await page.locator("header.top").isVisible()).toBe(false);
});

browserTest("reloads once where a page's files are gone after an update, and then says so", async () => {
  const { page } = await stage.open("/file-encrypt");
  let documents = 0;
  page.on("domcontentloaded", () => documents++);
  await page.route(/file-hash-.*\.js/, (route) => route.fulfill({ status: 404 }));
  await page.getByRole("link", { name: "Checksum", exact: true }).click();
  await page.getByRole("heading", { name: "This page did not load" }).waitFor();
  expect(documents).toBe(1);
  await page.unroute(/file-hash-.*\.js/);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Check a file" }).waitFor();
});

browserTest("says that the server is gone where it has no file of a tool to give", async () => {
  const { page } = await stage.open("/");
  await page.context().route("**/*", (route) => route.abort());
  await page.getByLabel("Your secret", { exact: true }).fill("kept");
  await page.getByRole("button", { name: "Create link" }).click();
  await page.getByText("The server cannot be reached.").waitFor();
  await page.getByRole("link", { name: "Ask", exact: true }).click();
  await page.getByRole("heading", { name: "This page did not load" }).waitFor();
  await page.goBack();
  expect(await page.getByLabel("Your secret", { exact: true }).inputValue()).toBe("kept");
});

browserTest("says so on the other pages too, where nothing was updated either", async () => {
  for (const [path, fields, button] of [
    ["/text-compare", "main textarea:visible", "Compare"],
    ["/account", "main form input:not([type=radio])", "Log in"],
    ["/pdf-merge", "main input[type=file]", "Merge 2 files"],
  ] as const) {
    const { page } = await stage.open(path);
    await page.locator(".loading").waitFor({ state: "detached" });
    await page.context().route("**/*", (route) => route.abort());
    for (const field of await page.locator(fields).all()) {
      if (path === "/pdf-merge") await field.setInputFiles([pdf("a.pdf"), pdf("b.pdf")]);
      else await field.fill(`typed into ${fields}`);
    }
    await page.locator("main").getByRole("button", { name: button, exact: true }).last().click();
    await page.getByText("The server cannot be reached.").first().waitFor();
    expect(await page.getByText("This page has been updated").count(), path).toBe(0);
  }
});

browserTest("says so beside the one of several files that it has nothing to work with for", async () => {
  const { page } = await stage.open("/image-convert");
  const image = await sharp({ create: { width: 40, height: 30, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  const heic = readFileSync(new URL("../files/heic/two.heic", import.meta.url));
  await page.locator("main input[type=file]").setInputFiles([
    { name: "red.png", mimeType: "image/png", buffer: image },
    { name: "two.heic", mimeType: "image/heic", buffer: heic },
  ]);
  await page.context().route(/heic|healthz/, (route) => route.abort());
  await page.getByRole("button", { name: "Convert", exact: true }).click();
  await page.getByText("two.heic: The server cannot be reached.").waitFor();
  await page.getByText("red.webp").first().waitFor();
  expect(await page.getByText("This page has been updated").count()).toBe(0);
});

browserTest("says so where it has no list of words to suggest a passphrase of", async () => {
  const { page } = await stage.open("/");
  await page.getByRole("button", { name: "Passphrase", exact: true }).click();
  const suggest = page.getByRole("button", { name: "Suggest a passphrase" });
  await suggest.waitFor();
  await page.context().route("**/*", (route) => route.abort());
  await suggest.click();
  await page.getByRole("alert").getByText("The server cannot be reached.").waitFor();
  expect(await page.getByText("This page has been updated").count()).toBe(0);
  await page.context().unroute("**/*");
  await suggest.click();
  await page.getByRole("alert").waitFor({ state: "detached" });
  await expect.poll(() => page.getByRole("textbox", { name: "Passphrase" }).inputValue()).not.toBe("");
});

browserTest("says to reload where a tool's files are gone after an update", async () => {
  const { page } = await stage.open("/pdf-rotate");
  await page.locator("main input[type=file]").setInputFiles(pdf("a.pdf"));
  await page.context().route(/assets\/pdf-rotate-.*\.js/, (route) => route.fulfill({ status: 404 }));
  await page.getByRole("button", { name: "Rotate" }).click();
  await page.getByText("This page has been updated since you opened it.").waitFor();
});

browserTest("keeps what was typed and chosen where no file is left after an update", async () => {
  for (const [path, button] of [
    ["/pdf-merge", "Merge 2 files"],
    ["/text-compare", "Compare"],
    ["/", "Create link"],
  ] as const) {
    const { page } = await stage.open(path);
    await page.locator("h1").waitFor();
    await page.context().route(/assets\/.*\.(js|css)/, (route) => route.fulfill({ status: 404 }));
    const texts = await page.locator("main textarea:visible").all();
    for (const text of texts) await text.fill(`typed ${texts.indexOf(text)}`);
    if (path === "/pdf-merge")
      await page.locator("main input[type=file]").setInputFiles([pdf("a.pdf"), pdf("b.pdf")]);
    await page.getByRole("button", { name: button }).click();
    await page.getByText("This page has been updated since you opened it.").first().waitFor();
    for (const text of texts) expect(await text.inputValue()).toBe(`typed ${texts.indexOf(text)}`);
    if (path === "/pdf-merge") await page.getByText("b.pdf", { exact: true }).waitFor();
  }
});
