// browser
import type { Page } from "playwright-core";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { afterAll, beforeAll, expect } from "vitest";
import { pagesPdf } from "../../tools/pdf/support/pdf-made.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";

let stage: Stage;
let files: Record<"largest" | "tooLarge" | "tooLargeJpeg" | "tooLargeForMembers" | "fit" | "cut", Given>;
beforeAll(async () => {
  stage = await openStage();
  files = {
    largest: await pictureOf("largest.png", [10_000, 5000]),
    tooLarge: await pictureOf("huge.png", [10_001, 5000]),
    tooLargeJpeg: await pictureOf("huge.jpg", [10_001, 5000]),
    tooLargeForMembers: await pictureOf("giant.png", [10_001, 10_000]),
    fit: fileOf("fit.png", await flat([40, 30]).png().toBuffer()),
    cut: fileOf("cut.png", (await flat([40, 30]).png().toBuffer()).subarray(0, -20)),
  };
});
afterAll(() => stage.close());

function flat([width, height]: readonly [number, number]) {
  return sharp({ create: { width, height, channels: 3, background: "red" } });
}

/** A small picture that says that it is larger; nobody decodes it to find out. */
async function pictureOf(name: string, [width, height]: readonly [number, number]): Promise<Given> {
  const small = flat([40, 30]);
  if (!name.endsWith(".png")) {
    const jpeg = await small.jpeg().toBuffer();
    // SOF0: marker, length, precision, height, width (ITU-T T.81, B.2.2).
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
    jpeg.writeUInt16BE(height, frame + 5);
    jpeg.writeUInt16BE(width, frame + 7);
    return fileOf(name, jpeg);
  }
  const png = await small.png().toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return fileOf(name, png);
}

/** A file as it is given to the field of a page. */
type Given = ReturnType<typeof fileOf>;

function fileOf(name: string, bytes: Uint8Array) {
  const mimeType = name.endsWith(".png")
    ? "image/png"
    : name.endsWith(".jpg")
      ? "image/jpeg"
      : name.endsWith(".gif")
        ? "image/gif"
        : "application/pdf";
  return { name, mimeType, buffer: Buffer.from(bytes) };
}

function choose(page: Page, ...given: Given[]): Promise<void> {
  return page.locator("main input[type=file]").first().setInputFiles(given);
}

const TOO_MANY = "This image has too many pixels. That is 50,005,000; the limit is 50,000,000.";

browserTest("refuses an image past the limit when it is chosen, and goes on with the others", async () => {
  const { page, complaints } = await stage.open("/image-convert");
  await choose(page, files.tooLarge, files.fit, files.cut);
  const refused = page.getByRole("alert");
  await refused.getByText(`huge.png: ${TOO_MANY}`).waitFor();
  await refused.getByText("cut.png: This file is damaged.").waitFor();
  expect(await page.locator(".chosen .name").allTextContents()).toEqual(["fit.png"]);
  await page.getByRole("button", { name: "Convert", exact: true }).click();
  await page.getByText("40 × 30").waitFor();
  expect(complaints).toEqual([]);
});

browserTest("takes an image with as many pixels as are allowed", async () => {
  const { page } = await stage.open("/image-convert");
  await choose(page, files.largest);
  await page.getByRole("group", { name: "largest.png" }).waitFor();
  expect(await page.getByRole("alert").count()).toBe(0);
});

browserTest("takes hidden data out of an image with more, for which nothing is decoded", async () => {
  const { page } = await stage.open("/image-convert");
  await choose(page, files.tooLarge);
  await page.getByRole("alert").getByText(TOO_MANY).waitFor();
  expect(await page.getByRole("button", { name: "Convert", exact: true }).count()).toBe(0);
  await page.getByRole("button", { name: "Only remove hidden data" }).click();
  await page.getByRole("group", { name: "huge.png" }).waitFor();
  expect(await page.getByRole("radio", { name: "Same format" }).isChecked()).toBe(true);
  await page.getByRole("button", { name: "Convert", exact: true }).click();
  await page.getByText("10001 × 5000").waitFor();
});

browserTest(
  "says when a setting is changed which chosen images it makes unfit, and takes it back",
  async () => {
    const { page, complaints } = await stage.open("/image-convert");
    await choose(page, files.fit);
    await page.getByText("Same format").click();
    await choose(page, files.tooLarge);
    await page.getByRole("group", { name: "huge.png" }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    const names = () => page.locator(".chosen .name").allTextContents();
    const convert = page.getByRole("button", { name: "Convert", exact: true });
    await page.getByText("WebP", { exact: true }).click();
    await page.getByRole("alert").getByText(`huge.png: ${TOO_MANY}`).waitFor();
    expect(await names()).toEqual(["fit.png", "huge.png"]);
    await page.getByRole("button", { name: "Remove fit.png" }).click();
    // Whoever asks for it all the same is told so where they are.
    await convert.click();
    await expect.poll(() => page.getByText(TOO_MANY).count()).toBe(2);
    expect(await names()).toEqual(["huge.png"]);
    await page.getByText("Same format").click();
    await expect.poll(() => page.getByText(TOO_MANY).count()).toBe(0);
    await page.getByText("Email", { exact: true }).click();
    await page.getByRole("alert").getByText(TOO_MANY).waitFor();
    await page.getByRole("button", { name: "Only remove hidden data" }).click();
    await page.getByRole("alert").waitFor({ state: "detached" });
    await convert.click();
    await page.getByText("10001 × 5000").waitFor();
    expect(complaints).toEqual([]);
  },
);

browserTest(
  "says the same of sides, parts and kinds of pictures that what is set does not take",
  async () => {
    const { page } = await stage.open("/image-convert");
    const alert = page.getByRole("alert");
    const expectTold = async (sentence: string, undo: () => Promise<void>) => {
      await alert.getByText(sentence).waitFor();
      await undo();
      await alert.waitFor({ state: "detached" });
    };
    const cmyk = await flat([40, 30]).toColorspace("cmyk").jpeg().toBuffer();
    await choose(page, fileOf("print.jpg", cmyk));
    await expectTold("print.jpg: Only the server can do this.", () =>
      page.getByText("On the server", { exact: true }).click(),
    );
    await page.getByRole("button", { name: "Choose another file" }).click();
    await choose(page, await pictureOf("wide.png", [20_000, 10]));
    await page.locator("summary", { hasText: "More options" }).click();
    await expectTold("wide.png: This is too complex to process.", () =>
      page.getByLabel("Width at most").fill("16383"),
    );
    await page.getByLabel("Width at most").fill("");
    await expectTold("wide.png", () => page.getByText("PNG", { exact: true }).click());
    const part = page.getByLabel("Crop");
    await part.fill("0,0,400,3");
    await part.pressSequentially("0");
    await expectTold("wide.png: “Crop” is not valid.", () => part.press("Backspace"));
    await part.fill("");
    await page.getByRole("button", { name: "Choose another file" }).click();
    await choose(page, fileOf("flat.gif", await flat([40, 30]).gif().toBuffer()));
    await page.getByText("Same format").click();
    await expectTold("flat.gif: This type of file is not supported here.", () =>
      page.getByText("WebP", { exact: true }).click(),
    );
  },
);

browserTest("reads an image once before it is converted, however often something is changed", async () => {
  const { page } = await stage.open("/image-convert");
  await page.evaluate(() => {
    const { arrayBuffer } = Blob.prototype;
    const read: string[] = [];
    File.prototype.arrayBuffer = function () {
      read.push(this.name);
      return arrayBuffer.call(this);
    };
    Object.assign(globalThis, { read });
  });
  await choose(page, files.fit, { ...files.fit, name: "other.png" });
  await page.locator(".chosen").nth(1).waitFor();
  for (const format of ["PNG", "Same format", "JPEG"]) await page.getByText(format, { exact: true }).click();
  await page.getByRole("button", { name: "Convert", exact: true }).click();
  await page.getByRole("region", { name: "Result" }).waitFor();
  expect(await page.evaluate(() => Reflect.get(globalThis, "read") as string[])).toEqual([
    "fit.png",
    "other.png",
  ]);
});

browserTest("takes more of members, and asks nobody else who they are", async () => {
  const { page, requests } = await stage.open("/image-convert");
  await choose(page, files.tooLarge);
  await page.getByRole("alert").getByText(TOO_MANY).waitFor();
  expect(requests.filter((request) => request.includes("/api/tools"))).toEqual([]);
  await page.goto(`${stage.url}/account`);
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill("pixels");
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.goto(`${stage.url}/image-convert`);
  const real = await flat([10_001, 5000]).png({ compressionLevel: 1 }).toBuffer();
  await choose(page, fileOf("huge.png", real), files.tooLargeForMembers);
  await page.getByRole("group", { name: "huge.png" }).waitFor();
  await page.getByRole("alert").getByText("giant.png").waitFor();
  expect(await page.getByRole("alert").textContent()).toContain("the limit is 100,000,000");
  await page.getByText("Email", { exact: true }).click();
  await page.getByRole("button", { name: "Convert", exact: true }).click();
  await page.getByText("1280 × 640").waitFor();
});

browserTest("refuses as pages of a PDF what would be decoded for it, and no JPEG", async () => {
  const { page } = await stage.open("/pdf-merge");
  await choose(page, fileOf("two.pdf", pagesPdf(2)), files.tooLarge, files.tooLargeJpeg, files.cut);
  await page.getByRole("alert").getByText(`huge.png: ${TOO_MANY}`).waitFor();
  await page.getByRole("alert").getByText("cut.png").waitFor();
  await expect.poll(() => page.locator(".merge .name").allTextContents()).toEqual(["two.pdf", "huge.jpg"]);
  await page.getByRole("button", { name: "Merge 2 files" }).click();
  await page.getByRole("region", { name: "Result" }).waitFor();
});

browserTest("keeps the order in which images were chosen, however long each is looked into", async () => {
  const { page } = await stage.open("/pdf-merge");
  await page.evaluate(() => {
    const { arrayBuffer } = Blob.prototype;
    const looked = Promise.withResolvers<void>();
    File.prototype.arrayBuffer = async function () {
      if (this.name === "slow.png") await looked.promise;
      return arrayBuffer.call(this);
    };
    Object.assign(globalThis, { goOn: looked.resolve });
  });
  await choose(page, { ...files.fit, name: "slow.png" });
  await choose(page, files.fit);
  await page.evaluate(() => {
    const goOn = Reflect.get(globalThis, "goOn") as () => void;
    setTimeout(goOn, 300);
  });
  await expect.poll(() => page.locator(".merge .name").allTextContents()).toEqual(["slow.png", "fit.png"]);
});
