// browser
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { unzipSync } from "fflate";
import type { Locator, Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect } from "vitest";
import { createClient } from "../../../client/client.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { pagesPdf } from "../../tools/pdf/support/pdf-made.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";
import { downloadBy } from "../support/download-by.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

function fileOf(name: string, bytes: Uint8Array): string {
  const path = join(makeTempFolder(), name);
  writeFileSync(path, bytes);
  return path;
}

async function choose(page: Page, ...paths: string[]): Promise<void> {
  await page.locator("main input[type=file]").first().setInputFiles(paths);
}

async function save(page: Page, link = "Save"): Promise<{ name: string; bytes: Uint8Array }> {
  const download = await downloadBy(page, () => page.getByRole("link", { name: link, exact: true }).click());
  return { name: download.suggestedFilename(), bytes: new Uint8Array(await readFile(await download.path())) };
}

/** Requests that could have carried something away: all but plain ones for the pages' own files. */
function sent(requests: readonly string[]): string[] {
  return requests.filter((request) => !/^GET \/(assets\/)?[\w.-]{0,40}$/.test(request));
}

browserTest("turns pages to the byte as the server does, and sends no file", async () => {
  const pdf = pagesPdf(5);
  const { page, requests, complaints } = await stage.open("/pdf-rotate");
  await choose(page, fileOf("scan.pdf", pdf));
  await page.getByRole("button", { name: "Page 2" }).click();
  await page.getByRole("button", { name: "Page 3" }).click();
  expect(await page.getByLabel("Pages to turn").inputValue()).toBe("2-3");
  await expect.poll(() => page.locator('.pages canvas[data-turned="90"]').count()).toBe(2);
  await page.getByRole("button", { name: "Enlarge the pages" }).click();
  const zoom = page.getByRole("dialog", { name: "Page 3 of 5" });
  const isDrawn = () => zoom.locator("canvas").evaluate((canvas: HTMLCanvasElement) => canvas.width > 400);
  await expect.poll(isDrawn).toBe(true);
  await page.keyboard.press("ArrowRight");
  await page.getByRole("dialog", { name: "Page 4 of 5" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Enlarge the pages" }).and(page.locator(":focus")).waitFor();
  await page.getByRole("button", { name: "Rotate" }).click();
  const { name, bytes } = await save(page);
  expect(name).toBe("scan-rotated.pdf");
  const made = await createClient(stage.url).tools.pdfRotate.mutate({ file: pdf, angle: 90, range: "2-3" });
  expect(Buffer.compare(bytes, made.data)).toBe(0);
  expect(sent(requests)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("splits and merges to the byte as the server does", async () => {
  const pdf = pagesPdf(4);
  const client = createClient(stage.url);
  const { page, requests, complaints } = await stage.open("/pdf-split");
  await choose(page, fileOf("four.pdf", pdf));
  await page.getByLabel("Pages to keep").fill("end,1");
  await page.keyboard.press("Control+Enter");
  const kept = await save(page);
  const split = await client.tools.pdfSplit.mutate({ file: pdf, mode: "keep", range: "end,1" });
  expect(Buffer.compare(kept.bytes, split.data)).toBe(0);
  await page.getByRole("button", { name: "Merge" }).click();
  await page.locator(".merge li").filter({ hasText: "four-pages.pdf" }).waitFor();
  await choose(page, fileOf("four.pdf", pdf));
  await page.locator(".merge li").nth(1).getByRole("textbox").focus();
  await page.keyboard.press("Alt+ArrowUp");
  await page.getByText("four.pdf is now number 1 of 2").waitFor({ state: "attached" });
  await page.getByRole("heading", { name: "Merge PDFs" }).click();
  await page.keyboard.press("Control+Enter");
  const merged = await save(page);
  const made = await client.tools.pdfMerge.mutate({
    files: [{ data: pdf }, { data: kept.bytes as typeof pdf }],
  });
  expect(Buffer.compare(merged.bytes, made.data)).toBe(0);
  expect(sent(requests)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("makes pages of images as the server does, with sheets on request", async () => {
  const pixels = { create: { width: 80, height: 40, channels: 3, background: "red" } } as const;
  const jpeg = new Uint8Array(await sharp(pixels).jpeg().toBuffer());
  const png = new Uint8Array(await sharp(pixels).png().toBuffer());
  const { page, requests, complaints } = await stage.open("/pdf-merge");
  await choose(page, fileOf("four.pdf", pagesPdf(4)));
  expect(await page.getByText("Pages of images").count()).toBe(0);
  await choose(page, fileOf("a.jpg", jpeg), fileOf("b.png", png));
  await page.locator(".merge li").nth(2).getByText("1 page").waitFor();
  await page.getByText("A4", { exact: true }).click();
  await page.getByRole("button", { name: "Merge 3 files" }).click();
  const { bytes } = await save(page);
  const files = [{ data: pagesPdf(4) }, { data: jpeg }, { data: png }];
  const made = await createClient(stage.url).tools.pdfMerge.mutate({ files, fit: "a4" });
  expect(made.pages).toBe(6);
  expect(Buffer.compare(bytes, made.data)).toBe(0);
  expect(sent(requests)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("keeps a merge that begins in the moment in which a file was removed", async () => {
  const { page } = await stage.open("/pdf-merge");
  await choose(
    page,
    fileOf("a.pdf", pagesPdf(1)),
    fileOf("b.pdf", pagesPdf(2)),
    fileOf("c.pdf", pagesPdf(3)),
  );
  await page.locator(".merge li").nth(2).getByText("3 pages").waitFor();
  await page.getByRole("button", { name: "Remove a.pdf" }).evaluate(async (remove) => {
    if (!(remove instanceof HTMLElement)) throw new Error("There is no button");
    remove.click();
    // The list is drawn anew, and what follows the paint has not happened yet.
    await Promise.resolve();
    await Promise.resolve();
    const buttons = [...document.querySelectorAll("main button")];
    const merge = buttons.find((button) => button.textContent?.startsWith("Merge "));
    if (!(merge instanceof HTMLElement)) throw new Error("There is nothing to merge");
    merge.click();
  });
  expect((await save(page)).name).toBe("merged.pdf");
});

/** Whether a sentence still stands when one more character is typed, before that is looked at. */
function saysWhileTyping(field: Locator, sentence: string): Promise<boolean> {
  return field.evaluate(async (input: HTMLInputElement, wanted) => {
    input.value += "x";
    input.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((resolve) => setTimeout(resolve, 50));
    return !input.isConnected || document.body.innerText.includes(wanted);
  }, sentence);
}

browserTest("asks for the password of a PDF that needs one as soon as it is chosen", async () => {
  const locked = new URL("../../files/encrypted/aes-256-r6.pdf", import.meta.url);
  const { page, requests } = await stage.open("/pdf-unlock");
  await choose(page, fileURLToPath(locked));
  const field = page.getByRole("textbox", { name: "PDF password" });
  await page.getByText("This PDF is protected. Enter its password.").waitFor();
  await field.fill("wrong");
  await page.getByText("That password is wrong.").waitFor();
  expect(await saysWhileTyping(field, "That password is wrong.")).toBe(false);
  const file = new Uint8Array(await readFile(locked));
  await field.fill("geheim");
  await page.getByText("That password is wrong.").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Unlock" }).click();
  const made = await createClient(stage.url).tools.pdfUnlock.mutate({ file, password: "geheim" });
  expect(Buffer.compare((await save(page)).bytes, made.data)).toBe(0);
  expect(sent(requests)).toEqual([]);
});

browserTest("leaves out files of another kind, and keeps those that are there", async () => {
  const { page, complaints } = await stage.open("/pdf-merge");
  const text = fileOf("really-a-text.pdf", new TextEncoder().encode("no PDF"));
  await choose(page, fileOf("four.pdf", pagesPdf(4)), text);
  await page
    .getByRole("alert")
    .getByText("Neither a PDF nor an image that can be read here, so left out: really-a-text.pdf")
    .waitFor();
  await page.locator(".merge").getByText("4 pages").waitFor();
  await choose(page, text);
  expect(await page.locator(".merge li").count()).toBe(1);
  await page.goto(`${stage.url}/image-convert`);
  const box = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  await choose(page, fileOf("box.dat", new Uint8Array(box)));
  await page.getByText("box.dat", { exact: true }).waitFor();
  await choose(page, fileOf("four.png", pagesPdf(4)));
  await page.getByText("Not an image that can be read here, so left out: four.png").waitFor();
  await page.getByText("box.dat", { exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

browserTest("says of each file to merge how many pages it has, and whether it opens", async () => {
  const locked = fileURLToPath(new URL("../../files/encrypted/aes-256-r6.pdf", import.meta.url));
  const { page, requests, complaints } = await stage.open("/pdf-merge");
  await choose(page, fileOf("four.pdf", pagesPdf(4)), locked);
  const [first, second] = [page.locator(".merge li").nth(0), page.locator(".merge li").nth(1)];
  await first.getByText("4 pages").waitFor();
  await first.getByRole("textbox").fill("2-3");
  await first.getByText("2 of 4 pages").waitFor();
  await first.getByRole("textbox").fill("5");
  await first.getByText("There is no page 5: the document has 4 pages.").waitFor();
  await first.getByRole("textbox").fill("");
  await second.getByText("This PDF is protected. Enter its password.").waitFor();
  await page.getByRole("button", { name: "Enlarge four.pdf" }).click();
  await page.getByRole("dialog", { name: "Page 1 of 4" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Enlarge four.pdf" }).and(page.locator(":focus")).waitFor();
  await page.getByRole("button", { name: "Merge 2 files" }).click();
  const password = second.getByLabel("Password of aes-256-r6.pdf");
  await password.and(page.locator(":focus")).waitFor();
  await password.fill("wrong");
  await second.getByText("That password is wrong.").waitFor();
  expect(await saysWhileTyping(password, "That password is wrong.")).toBe(false);
  await password.fill("geheim");
  await second.getByText("1 page").waitFor();
  await page.keyboard.press("Control+Enter");
  expect((await save(page)).name).toBe("merged.pdf");
  await page.getByRole("button", { name: "Discard result" }).click();
  await page.getByRole("form", { name: "Chosen files" }).and(page.locator(":focus")).waitFor();
  expect(sent(requests)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest(
  "draws a hundred files of a long list to merge, and also that of the rest which does not open",
  async () => {
    const locked = fileURLToPath(new URL("../../files/encrypted/aes-256-r6.pdf", import.meta.url));
    const { page } = await stage.open("/pdf-merge");
    const pdf = pagesPdf(1);
    const paths = Array.from({ length: 120 }, (_, i) => fileOf(`page-${i}.pdf`, pdf));
    await choose(page, ...paths, locked);
    const items = page.locator(".merge > li");
    await page.getByRole("button", { name: "+ 21 files" }).waitFor();
    expect(await items.count()).toBe(100);
    await page.getByRole("button", { name: "Merge 121 files" }).click();
    await page.getByLabel("Password of aes-256-r6.pdf").and(page.locator(":focus")).waitFor();
    expect(await items.count()).toBe(121);
  },
);

browserTest("keeps typed pages, chosen pages and their order in step", async () => {
  const pdf = pagesPdf(9);
  const { page, complaints } = await stage.open("/pdf-split", { viewport: { width: 1280, height: 500 } });
  await choose(page, fileOf("nine.pdf", pdf));
  const field = page.getByLabel("Pages to keep");
  const sheet = (number: number) => page.getByRole("button", { name: `Page ${number}`, exact: true });
  await sheet(2).click();
  await sheet(5).click({ modifiers: ["Shift"] });
  expect(await field.inputValue()).toBe("2-5");
  await sheet(7).click();
  await sheet(3).click();
  expect(await field.inputValue()).toBe("2,4-5,7");
  await page.getByRole("button", { name: "Move Page 7 up" }).click();
  await page.keyboard.press("Alt+ArrowLeft");
  await page.getByText("Page 7 is now number 2 of 4").waitFor({ state: "attached" });
  expect(await field.inputValue()).toBe("2,7,4-5");
  await page.getByRole("button", { name: "Move Page 7 up" }).and(page.locator(":focus")).waitFor();
  const ordered = page.getByRole("list", { name: "Order of the pages" }).getByRole("listitem");
  await ordered.nth(3).dragTo(ordered.nth(0));
  expect(await field.inputValue()).toBe("5,2,7,4");
  await sheet(9).click();
  expect(await field.inputValue()).toBe("5,2,7,4,9");
  await field.fill("3-1");
  for (const [number, isChosen] of [
    [3, true],
    [1, true],
    [4, false],
  ] as const)
    expect(await sheet(number).getAttribute("aria-pressed")).toBe(String(isChosen));
  expect(await ordered.allTextContents()).toEqual(["3", "2", "1"]);
  const action = page.getByRole("button", { name: "Split", exact: true });
  await page.evaluate(() => scrollTo(0, 0));
  expect(await action.evaluate((button) => button.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
  await action.click();
  const made = await createClient(stage.url).tools.pdfSplit.mutate({ file: pdf, mode: "keep", range: "3-1" });
  expect(Buffer.compare((await save(page)).bytes, made.data)).toBe(0);
  expect(complaints).toEqual([]);
});

browserTest("digests a file as the server does and knows the expected one", async () => {
  const bytes = new Uint8Array(300_000).map((_, i) => i);
  const { page, requests, complaints } = await stage.open("/file-hash");
  await choose(page, fileOf("data.bin", bytes));
  const { digests } = await createClient(stage.url).tools.fileHash.mutate({
    file: bytes,
    algorithms: ["md5", "sha1", "sha256", "sha384", "sha512", "blake3"],
  });
  expect(Object.keys(digests)).toHaveLength(6);
  for (const digest of Object.values(digests)) await page.getByText(digest).waitFor();
  await page.getByLabel("Expected checksum").fill(`${digests.md5?.toUpperCase()}  data.bin`);
  await page.getByText("It matches").waitFor();
  await page.getByLabel("Expected checksum").fill("0".repeat(64));
  await page.getByText("It does not match").waitFor();
  expect(sent(requests)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("locks a file that opens over REST, and opens what REST has locked", async () => {
  const bytes = new TextEncoder().encode("naïve text\n".repeat(20_000));
  const path = fileOf("naïve.txt", bytes);
  const { page, requests, complaints } = await stage.open("/file-encrypt");
  await choose(page, path);
  await page.getByRole("textbox", { name: "Password" }).fill("pässwörd");
  await page.getByRole("button", { name: "Encrypt", exact: true }).click();
  const locked = await save(page);
  expect(locked.name).toBe("naïve.txt.locked");
  expect(sent(requests)).toEqual([]);
  const url = `${stage.url}/api/tools/file-encrypt`;
  const headers = { "tool-password": encodeURIComponent("pässwörd") };
  const opened = await fetch(`${url}?direction=unlock`, {
    method: "POST",
    headers,
    body: Buffer.from(locked.bytes),
  });
  expect(Buffer.compare(new Uint8Array(await opened.arrayBuffer()), bytes)).toBe(0);
  const again = await fetch(`${url}?filename=other.txt`, { method: "POST", headers, body: bytes });
  await page.getByRole("button", { name: "Choose another file" }).click();
  await choose(page, fileOf("x.locked", new Uint8Array(await again.arrayBuffer())));
  const password = page.getByRole("textbox", { name: "Password" });
  await password.fill("wrong");
  await page.getByRole("button", { name: "Decrypt", exact: true }).click();
  await page.getByText("That password is wrong.").waitFor();
  expect(await saysWhileTyping(password, "That password is wrong.")).toBe(false);
  await password.fill("pässwörd");
  await page.getByText("Decrypt", { exact: true }).first().click();
  await page.getByRole("button", { name: "Decrypt", exact: true }).click();
  const back = await save(page);
  expect(back.name).toBe("other.txt");
  expect(Buffer.compare(back.bytes, bytes)).toBe(0);
  expect(complaints).toEqual([]);
});

browserTest("compares two texts line by line, by word, and as a patch", async () => {
  const a = "one\ntwo\nthree\n<b>four</b>\n";
  const b = "one\n2\nthree\n<b>five</b>\n";
  const { page, requests, complaints } = await stage.open("/text-compare");
  await page.getByLabel("First text", { exact: true }).fill(a);
  await page.getByLabel("Second text", { exact: true }).fill(b);
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByText("2 lines removed").waitFor();
  expect(await page.locator(".diff .removed").allTextContents()).toEqual([
    "−removed: two",
    "−removed: <b>four</b>",
  ]);
  await page.keyboard.press("n");
  await page.getByText("Change 1 of 2").waitFor();
  await page.keyboard.press("n");
  await page.locator(".diff tr:focus").getByText("<b>five</b>").waitFor();
  await page.keyboard.press("p");
  await page.getByRole("button", { name: "Next change" }).click();
  await page.getByText("Change 2 of 2").waitFor();
  await page.getByText("Wrap long lines").click();
  await page.locator(".diff.unwrapped").waitFor();
  await page.getByText("Prose", { exact: true }).click();
  await page.locator(".diff.prose").waitFor();
  expect(await page.getByText("Wrap long lines").count()).toBe(0);
  const saved = await downloadBy(page, () => page.getByRole("button", { name: "Save as a patch" }).click());
  const patch = await readFile(await saved.path(), "utf8");
  const made = await createClient(stage.url).tools.textCompare.mutate({ a, b, format: "unified" });
  expect(patch).toBe(made.patch);
  await page.getByText("Words", { exact: true }).click();
  await page.getByText("2 pieces removed").waitFor();
  expect(await page.locator(".diff del").allTextContents()).toEqual(["two", "four"]);
  expect(sent(requests)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("makes passwords here", async () => {
  const { page, requests, complaints } = await stage.open("/password");
  const shown = () => page.locator("output").textContent();
  const first = await shown();
  expect(first).toMatch(/^[A-Za-z0-9]{14}$/);
  await page.getByRole("button", { name: "Another" }).click();
  await expect.poll(shown).not.toBe(first);
  await page.getByText("Words", { exact: true }).click();
  // Four of the words have a hyphen of their own.
  await expect.poll(shown).toMatch(/^([a-z]+-){6,}[a-z]+$/);
  expect(sent(requests)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("converts an image in every format, without a request", async () => {
  const { page, requests, complaints } = await stage.open("/image-convert");
  const png = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(64, 48);
    const context = canvas.getContext("2d");
    if (context) context.fillStyle = "#c33";
    context?.fillRect(0, 0, 40, 30);
    return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
  });
  await choose(page, fileOf("box.png", Uint8Array.from(png)));
  for (const [format, extension] of [
    ["WebP", "webp"],
    ["JPEG", "jpg"],
    ["PNG", "png"],
    ["AVIF", "avif"],
  ] as const) {
    await page.getByText(format, { exact: true }).click();
    await page.getByRole("button", { name: "Convert" }).click();
    await page.getByText(`box.${extension}`, { exact: true }).and(page.locator("strong")).waitFor();
    expect((await save(page)).name).toBe(`box.${extension}`);
  }
  expect(sent(requests)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("writes WebP with a codec of its own where the canvas cannot", async () => {
  const { page, requests, complaints } = await stage.open("/image-convert");
  // What Safari's canvas does: PNG, whatever was asked for.
  const asSafari = `{ const write = OffscreenCanvas.prototype.convertToBlob;
    OffscreenCanvas.prototype.convertToBlob = function () { return write.call(this, { type: "image/png" }); } }`;
  await page.route("**/assets/worker-*.js", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: asSafari + (await response.text()) });
  });
  const half = { create: { width: 30, height: 20, channels: 4, background: "#cc333380" } } as const;
  await choose(page, fileOf("half.png", new Uint8Array(await sharp(half).png().toBuffer())));
  await page.getByRole("button", { name: "Convert" }).click();
  const { name, bytes } = await save(page);
  expect(name).toBe("half.webp");
  const { format, width, height } = await sharp(bytes).metadata();
  expect({ format, width, height }).toEqual({ format: "webp", width: 30, height: 20 });
  const [red, green, , alpha] = await sharp(bytes).raw().toBuffer();
  expect(Math.abs(red! - 0xcc) + Math.abs(green! - 0x33)).toBeLessThan(12);
  expect(alpha).toBe(0x80);
  expect(requests.some((request) => /webp_enc[\w-]*\.wasm$/.test(request))).toBe(true);
  expect(sent(requests)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("converts a HEIC, and several images at once into one ZIP", async () => {
  const { page, requests, complaints } = await stage.open("/image-convert");
  const heic = fileURLToPath(new URL("../../files/heic/quarters.heic", import.meta.url));
  await choose(page, heic);
  await page.getByRole("button", { name: "Convert" }).click();
  expect((await sharp((await save(page)).bytes).metadata()).format).toBe("webp");
  await page.getByRole("region", { name: "Result" }).getByRole("button", { name: "Merge" }).waitFor();
  await page.getByRole("button", { name: "Choose another file" }).click();
  const black = { create: { width: 30, height: 20, channels: 3, background: "#000" } } as const;
  const png = new Uint8Array(await sharp(black).png().toBuffer());
  await choose(
    page,
    heic,
    fileOf("box.png", png),
    fileOf("quarters.png", png),
    fileOf("broken.png", png.slice(0, 50)),
  );
  await page.getByText("Email", { exact: true }).click();
  await page.getByText("At most 1,280 pixels on the longer side.").waitFor();
  await page.getByText("Web", { exact: true }).click();
  await page.getByRole("button", { name: "Convert" }).click();
  const { name, bytes } = await save(page, "Save all");
  expect(name).toBe("images.zip");
  const entries = unzipSync(bytes);
  expect(Object.keys(entries)).toEqual(["quarters.webp", "box.webp", "quarters-2.webp"]);
  const sizes = Object.values(entries).map(async (entry) => (await sharp(entry).metadata()).width);
  expect(await Promise.all(sizes)).toEqual([96, 30, 30]);
  await page.getByText(/^broken\.png: /).waitFor();
  const one = await save(page, "Save box.webp");
  expect([one.name, Buffer.compare(one.bytes, entries["box.webp"] ?? one.bytes)]).toEqual(["box.webp", 0]);
  expect(sent(requests)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("locks several files as one ZIP", async () => {
  const { page } = await stage.open("/file-encrypt");
  await choose(
    page,
    fileOf("a.txt", new TextEncoder().encode("A")),
    fileOf("b.txt", new TextEncoder().encode("B")),
  );
  await page.getByRole("textbox", { name: "Password" }).fill("pässwörd");
  await page.getByRole("button", { name: "Encrypt", exact: true }).click();
  const { name, bytes } = await save(page);
  expect(name).toBe("files.zip.locked");
  const client = createClient(stage.url);
  const opened = await client.tools.fileEncrypt.mutate({
    file: new Uint8Array(bytes),
    direction: "unlock",
    password: "pässwörd",
  });
  expect(opened.name).toBe("files.zip");
  expect(Object.keys(unzipSync(opened.data))).toEqual(["a.txt", "b.txt"]);
});

browserTest("does the same on the server where that is chosen", async () => {
  const pdf = pagesPdf(3);
  const { page, requests, complaints } = await stage.open("/pdf-rotate");
  await choose(page, fileOf("scan.pdf", pdf));
  await page.getByText("On the server", { exact: true }).click();
  await page.getByRole("button", { name: "Rotate" }).click();
  const { bytes } = await save(page);
  const made = await createClient(stage.url).tools.pdfRotate.mutate({ file: pdf, angle: 90 });
  expect(Buffer.compare(bytes, made.data)).toBe(0);
  expect(sent(requests)).toEqual(["POST /trpc/tools.pdfRotate"]);
  expect(complaints).toEqual([]);
});

// Minutes of work, of which nobody sees the end; a hole in the file and not on the disk.
const LARGE_BYTES = 2 ** 36;

browserTest("stops work that is cancelled", async () => {
  const { page, complaints } = await stage.open("/file-hash");
  const path = fileOf("large.bin", new Uint8Array(0));
  truncateSync(path, LARGE_BYTES);
  await choose(page, path);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Reading the file").waitFor({ state: "detached" });
  expect(await page.locator(".digests").count()).toBe(0);
  expect(complaints).toEqual([]);
});

for (const way of ["drop", "paste"] as const) {
  browserTest(`takes a file by ${way}`, async () => {
    const { page, complaints } = await stage.open("/file-hash");
    await page.getByText(/^Drop or paste .* here/).waitFor();
    await page.evaluate((kind) => {
      const data = new DataTransfer();
      data.items.add(new File(["abc"], "abc.txt"));
      const event =
        kind === "drop"
          ? new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })
          : new ClipboardEvent("paste", { clipboardData: data, bubbles: true });
      document.body.dispatchEvent(event);
    }, way);
    await page.getByText("900150983cd24fb0d6963f7d28e17f72").waitFor();
    expect(complaints).toEqual([]);
  });
}

interface Dropped {
  readonly name: string;
  readonly bytes: readonly number[];
}

/** Drops files on whatever page is shown, the last one as a folder if it has no bytes. */
async function drop(page: Page, ...files: readonly Dropped[]): Promise<void> {
  await page.evaluate((all) => {
    const data = new DataTransfer();
    for (const { name, bytes } of all) data.items.add(new File([new Uint8Array(bytes)], name));
    // What a script puts into a transfer has no entry.
    DataTransferItem.prototype.webkitGetAsEntry = function () {
      const { size, name } = this.getAsFile() ?? { size: 1, name: "" };
      return { name, isDirectory: size === 0 } as FileSystemEntry;
    };
    document.body.dispatchEvent(
      new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }),
    );
  }, files);
}

/** Drops what is on the disk, as from the desktop. */
async function dropPaths(page: Page, ...files: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    const data = { items: [], files: [...files], dragOperationsMask: 1 };
    await session.send("Input.dispatchDragEvent", { type, x: 200, y: 200, data });
  }
}

browserTest("takes the files in a folder that is dropped, and names a folder without any", async () => {
  const folder = join(makeTempFolder(), "holiday");
  mkdirSync(join(folder, "sea"), { recursive: true });
  mkdirSync(join(folder, "none"));
  for (const name of ["10.txt", "9.txt", ".DS_Store", "sea/1.txt"]) writeFileSync(join(folder, name), "a");
  for (let i = 0; i < 101; i++) writeFileSync(join(folder, "sea", `b${i}.txt`), "b");
  const { page, complaints } = await stage.open("/file-hash");
  await page.getByText(/^Drop or paste .* here/).waitFor();
  await dropPaths(page, join(folder, "none"));
  await page.getByText(/^Nothing is taken from a folder that is empty, .* 1,000 files: none$/).waitFor();
  await dropPaths(page, folder);
  await page.getByText("Chosen files: 9.txt, 10.txt, 1.txt, b0.txt, b1.txt, and …").waitFor();
  await page.getByRole("button", { name: "+ 4 files" }).first().click();
  await page.getByText("b100.txt", { exact: true }).first().waitFor();
  expect(complaints).toEqual([]);
});

browserTest("asks what to do with a file that is dropped on any page, and does it", async () => {
  const { page, requests, complaints } = await stage.open("/tools");
  await page.getByRole("heading", { name: "All tools" }).waitFor();
  await drop(page, { name: "scan.dat", bytes: [...pagesPdf(3)] }, { name: "holiday", bytes: [] });
  const dialog = page.getByRole("dialog", { name: "1 file" });
  await dialog.getByText(/^Nothing is taken from a folder that is empty, .* 1,000 files: holiday$/).waitFor();
  await dialog.getByRole("button", { name: "Checksum" }).waitFor();
  const names = await dialog.getByRole("button").allTextContents();
  expect(names).toEqual([
    ...["Share it", "Merge", "Split", "Rotate", "Clean", "Compress", "Lock", "Unlock"],
    ...["Encrypt a file", "Checksum", "Cancel"],
  ]);
  await dialog.getByRole("button", { name: "Split" }).click();
  await page.getByRole("heading", { name: "Split a PDF" }).and(page.locator(":focus")).waitFor();
  await page.getByText("scan.dat", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Page 3", exact: true }).waitFor();
  const four = { name: "four.pdf", bytes: [...pagesPdf(4)] };
  await drop(page, four, { ...four, name: "more.pdf" });
  await page.getByText("This page takes one file at a time, so left out: more.pdf").waitFor();
  await page.getByRole("alert").getByRole("button", { name: "Merge" }).click();
  await page.locator(".merge").getByText("more.pdf").waitFor();
  expect(sent(requests)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest(
  "keeps what is typed on a page where a file is dropped, also for who comes back to it",
  async () => {
    const { page, complaints } = await stage.open("/text-compare");
    const text = (name: string) => ({ name, bytes: [...new TextEncoder().encode(name)] });
    await page.getByLabel("First text", { exact: true }).fill("typed");
    await drop(page, text("second"), text("third"));
    await page.getByRole("dialog", { name: "1 file" }).getByText("third").waitFor();
    expect(await page.getByLabel("Second text", { exact: true }).inputValue()).toBe("second");
    await page.getByRole("button", { name: "Checksum" }).click();
    await page.getByRole("heading", { name: "Check a file" }).waitFor();
    await page.goBack();
    expect(await page.getByLabel("First text", { exact: true }).inputValue()).toBe("typed");
    expect(complaints).toEqual([]);
  },
);

browserTest("offers the right tool for a file of another kind, with the file in it", async () => {
  const { page, complaints } = await stage.open("/pdf-unlock");
  const jpeg = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .jpeg()
    .toBuffer();
  await choose(page, fileOf("letter.locked", new TextEncoder().encode("anything")));
  const note = page.getByRole("alert");
  await note.getByRole("button", { name: "Decrypt a file" }).click();
  await page.getByRole("heading", { name: "Encrypt a file" }).waitFor();
  await page.getByRole("textbox", { name: "Password" }).waitFor();
  await page.getByText("letter.locked: This is not an encrypted file.").waitFor();
  await page.goto(`${stage.url}/pdf-split`);
  await choose(page, fileOf("photo.jpg", new Uint8Array(jpeg)));
  await note.getByRole("button", { name: "Convert an image" }).click();
  await page.getByRole("button", { name: "Convert", exact: true }).waitFor();
  await choose(page, fileOf("four.pdf", pagesPdf(4)));
  await note.getByRole("button", { name: "Merge" }).click();
  await page.locator(".merge").getByText("4 pages").waitFor();
  expect(complaints).toEqual([]);
});

browserTest("does the same to several PDFs, and says which one needs a password", async () => {
  const locked = fileURLToPath(new URL("../../files/encrypted/aes-256-r6.pdf", import.meta.url));
  const { page, requests, complaints } = await stage.open("/pdf-rotate");
  await choose(page, fileOf("two.pdf", pagesPdf(2)), locked, fileOf("three.pdf", pagesPdf(3)));
  await page.getByText("Left", { exact: true }).click();
  await page.getByLabel("Pages to turn").fill("end");
  const run = page.getByRole("button", { name: "Rotate", exact: true });
  await run.click();
  await page.getByText("aes-256-r6.pdf: This PDF is protected. Enter its password.").waitFor();
  const { tools } = createClient(stage.url);
  for (const [name, pages] of [
    ["two", 2],
    ["three", 3],
  ] as const) {
    const made = await tools.pdfRotate.mutate({ file: pagesPdf(pages), angle: -90, range: "end" });
    const { bytes } = await save(page, `Save ${name}-rotated.pdf`);
    expect([name, Buffer.compare(bytes, made.data)]).toEqual([name, 0]);
  }
  await page.getByRole("textbox", { name: "PDF password" }).fill("geheim");
  await run.click();
  await page.getByRole("link", { name: "Save aes-256-r6-rotated.pdf" }).waitFor();
  const entries = unzipSync((await save(page, "Save all")).bytes);
  expect(Object.keys(entries)).toEqual(["two-rotated.pdf", "aes-256-r6-rotated.pdf", "three-rotated.pdf"]);
  expect(sent(requests)).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("goes back from a result to the chosen files, and from another tool too", async () => {
  const { page, complaints } = await stage.open("/pdf-rotate");
  await choose(page, fileOf("scan.pdf", pagesPdf(3)));
  await page.getByText("Left", { exact: true }).click();
  await page.getByLabel("Pages to turn").fill("2");
  await page.getByRole("button", { name: "Rotate", exact: true }).click();
  await page.getByRole("button", { name: "Discard result" }).click();
  await page.getByRole("group", { name: "Chosen files" }).and(page.locator(":focus")).waitFor();
  expect(await page.getByRole("region", { name: "Result" }).count()).toBe(0);
  await page.getByRole("button", { name: "Rotate", exact: true }).click();
  await page.getByRole("button", { name: "Compress" }).click();
  await page.getByRole("heading", { name: "Compress a PDF" }).waitFor();
  await page.getByText("scan-rotated.pdf", { exact: true }).waitFor();
  await page.goBack();
  await page.getByText("scan.pdf", { exact: true }).waitFor();
  expect(await page.getByLabel("Pages to turn").inputValue()).toBe("2");
  expect(await page.getByRole("radio", { name: "Left" }).isChecked()).toBe(true);
  expect(complaints).toEqual([]);
});
