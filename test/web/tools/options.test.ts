// browser
import sharp from "sharp";
import { afterAll, beforeAll, expect } from "vitest";
import { pagesPdf } from "../../tools/pdf/support/pdf-made.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";
import { hiddenPartsOf } from "../support/in-sight.ts";
import { chooseFile, press, tabTo } from "../support/keyboard.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

browserTest(
  "marks the words that changed inside a line, with the lines around it that are wanted",
  async () => {
    const { page, complaints } = await stage.open("/text-compare");
    const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`);
    await tabTo(page.getByLabel("First text", { exact: true }));
    await page.keyboard.insertText(lines.join("\n"));
    await tabTo(page.getByLabel("Second text", { exact: true }));
    await page.keyboard.insertText(`${lines.with(20, "line twenty").join("\n")}\n`);
    await tabTo(page.getByLabel("Lines around a change"));
    await page.keyboard.press("Control+A");
    await page.keyboard.type("1");
    await press(page.getByRole("button", { name: "Compare", exact: true }));
    await page.getByRole("region", { name: "Differences" }).waitFor();
    await page.getByRole("region", { name: "Result" }).and(page.locator(":focus")).waitFor();
    expect(await page.locator(".diff mark").allTextContents()).toContain("twenty");
    await page.getByText("The first text does not end with a line break; the second does.").waitFor();
    await page.getByRole("button", { name: "Show 19 equal lines" }).waitFor();
    expect(complaints).toEqual([]);
  },
);

browserTest("ignores blank lines when asked to", async () => {
  const { page } = await stage.open("/text-compare");
  await tabTo(page.getByLabel("First text", { exact: true }));
  await page.keyboard.insertText("a\nb\n");
  await tabTo(page.getByLabel("Second text", { exact: true }));
  await page.keyboard.insertText("a\n\n\nb\n");
  await tabTo(page.getByLabel("Blank lines"));
  await page.keyboard.press("Space");
  await press(page.getByRole("button", { name: "Compare", exact: true }));
  await page.getByText("The texts are the same, apart from what you ignore").waitFor();
});

browserTest("ignores all white space when asked to", async () => {
  const { page } = await stage.open("/text-compare");
  await tabTo(page.getByLabel("First text", { exact: true }));
  await page.keyboard.insertText("f(a, b)\n");
  await tabTo(page.getByLabel("Second text", { exact: true }));
  await page.keyboard.insertText("\tf( a,b )\n");
  await page.getByLabel("Ignore all of it").check();
  await press(page.getByRole("button", { name: "Compare", exact: true }));
  await page.getByText("The texts are the same, apart from what you ignore").waitFor();
});

browserTest("makes passwords as strong as is asked for, without characters that look alike", async () => {
  const { page } = await stage.open("/password");
  await page.getByText("Strong", { exact: true }).waitFor();
  await tabTo(page.getByRole("spinbutton", { name: "At least this many bits" }));
  await page.keyboard.press("Control+A");
  await page.keyboard.type("200");
  await tabTo(page.getByLabel("Without 0 O 1 l I"));
  await page.keyboard.press("Space");
  await expect.poll(() => page.locator("output").textContent()).toMatch(/^[2-9A-HJ-NP-Za-km-z]{35}$/);
  await tabTo(page.getByRole("radio", { name: "By strength" }));
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("ArrowRight");
  await tabTo(page.getByLabel("Capital letters"));
  await page.keyboard.press("Space");
  await tabTo(page.getByLabel("A digit"));
  await page.keyboard.press("Space");
  await expect.poll(() => page.locator("output").textContent()).toMatch(/^[A-Z].*[2-9]/);
});

browserTest("makes passphrases of a chosen list, and codes by a pattern", async () => {
  const { page, complaints } = await stage.open("/password");
  await page.getByText("Words", { exact: true }).click();
  await page.getByText("French, 2,048 words").click();
  await page.getByText("By length").click();
  await page.getByText("55 bits of entropy").waitFor();
  await page.getByText("Pattern", { exact: true }).click();
  await expect.poll(() => page.locator("output").textContent()).toMatch(/^[0-9]{6}$/);
  await page.getByRole("textbox", { name: "Pattern" }).fill("H{4}-[");
  await page.getByRole("alert").waitFor();
  expect(complaints).toEqual([]);
});

browserTest("makes an image smaller, on a chosen background", async () => {
  const { page } = await stage.open("/image-convert");
  const png = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(64, 48);
    canvas.getContext("2d");
    return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
  });
  await chooseFile(page, { name: "clear.png", mimeType: "image/png", buffer: Buffer.from(png) });
  await tabTo(page.getByRole("radio", { name: "WebP" }));
  await page.keyboard.press("ArrowRight");
  await press(page.getByText("More options"));
  await tabTo(page.getByLabel("Width at most"));
  await page.keyboard.type("32");
  await page.getByLabel("Background for transparent areas").fill("#ff0000");
  await press(page.getByRole("button", { name: "Convert" }));
  await page.getByText("32 × 24").waitFor();
  const line = page.getByRole("slider", { name: "Line between before and after" });
  await tabTo(line);
  await page.keyboard.press("Home");
  expect(await line.inputValue()).toBe("0");
  const corner = await page.getByAltText("The image after").evaluate(async (image: HTMLImageElement) => {
    const context = new OffscreenCanvas(32, 24).getContext("2d");
    context?.drawImage(image, 0, 0);
    return [...(context?.getImageData(0, 0, 1, 1).data ?? [])];
  });
  expect(corner[0]).toBeGreaterThan(240);
  expect(corner[1]).toBeLessThan(16);
});

browserTest("says before the work that only the server converts without loss", async () => {
  const { page } = await stage.open("/image-convert");
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "red" } })
    .png()
    .toBuffer();
  await chooseFile(page, { name: "red.png", mimeType: "image/png", buffer: png });
  await press(page.getByText("More options"));
  await tabTo(page.getByLabel("Without loss"));
  await page.keyboard.press("Space");
  await page.getByText("Only the server can do this. Choose “On the server”.").waitFor();
  expect(await page.getByRole("button", { name: "Convert" }).isDisabled()).toBe(true);
  await page.getByText("On the server", { exact: true }).click();
  await press(page.getByRole("button", { name: "Convert" }));
  await page.getByText("red.webp").waitFor();
});

browserTest("keeps what is set within two screens of a phone, however many files are chosen", async () => {
  const { page } = await stage.open("/pdf-rotate", { viewport: { width: 360, height: 640 } });
  const buffer = Buffer.from(pagesPdf(1));
  const files = Array.from({ length: 30 }, (_, i) => ({
    name: `${i}.pdf`,
    mimeType: "application/pdf",
    buffer,
  }));
  await page.locator("main input[type=file]").first().setInputFiles(files);
  const range = page.getByLabel("Pages to turn");
  await range.waitFor();
  expect(await range.evaluate((field) => field.getBoundingClientRect().bottom + scrollY)).toBeLessThan(1280);
  // Those that are out of sight are reached by keyboard.
  const last = page.getByRole("button", { name: "Remove 29.pdf" });
  await last.focus();
  expect(await hiddenPartsOf(last)).toEqual([]);
});
