// browser
import { readFile } from "node:fs/promises";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, expect } from "vitest";
import { createClient } from "../../../client/client.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { bytesOf, withEverything } from "../../tools/image/support/made.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";
import { downloadBy } from "../support/download-by.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

async function choose(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  const path = join(makeTempFolder(), name);
  writeFileSync(path, bytes);
  await page.locator("main input[type=file]").first().setInputFiles(path);
}

async function save(page: Page): Promise<Uint8Array<ArrayBuffer>> {
  const saved = await downloadBy(page, () => page.getByRole("link", { name: "Save", exact: true }).click());
  return new Uint8Array(await readFile(await saved.path()));
}

/** Four colors in four corners, lying on its side. */
async function corners(): Promise<Uint8Array<ArrayBuffer>> {
  const colors = ["#ff0000", "#00ff00", "#0000ff", "#ffff00"];
  const boxes = colors.map((background, i) => ({
    input: { create: { width: 20, height: 10, channels: 3 as const, background } },
    left: (i % 2) * 20,
    top: Math.floor(i / 2) * 10,
  }));
  const canvas = sharp({ create: { width: 40, height: 20, channels: 3, background: "#000000" } });
  return bytesOf(canvas.composite(boxes).png().withMetadata({ orientation: 6 }));
}

async function pixelsOf(image: Uint8Array): Promise<Buffer> {
  return sharp(image).toColourspace("srgb").removeAlpha().raw().toBuffer();
}

browserTest("turns and crops as the server does", async () => {
  const image = await corners();
  const { page, complaints } = await stage.open("/image-convert");
  await choose(page, "corners.png", image);
  await page.getByText("PNG", { exact: true }).click();
  await page.getByText("More options").click();
  await page.getByLabel("Crop").fill("5, 2, 30, 12");
  const { tools } = createClient(stage.url);
  for (const rotate of [90, 270] as const) {
    await page.getByText(`${rotate}°`).click();
    await page.getByRole("button", { name: "Convert", exact: true }).click();
    await page.getByText("30 × 12").waitFor();
    const made = await tools.imageConvert.mutate({ file: image, format: "png", rotate, crop: "5,2,30,12" });
    expect(await pixelsOf(await save(page))).toEqual(await pixelsOf(made.data));
    await page.getByText("180°").click();
  }
  await page.getByLabel("Crop").fill("30,0,30,12");
  await page.getByRole("alert").getByText("corners.png: “Crop” is not valid.").waitFor();
  expect(complaints).toEqual([]);
});

browserTest("finds the quality for a size, and takes only hidden data out", async () => {
  const { jpeg } = await withEverything(300, 200);
  const { page, requests } = await stage.open("/image-convert");
  await choose(page, "photo.jpg", jpeg);
  await page.getByText("JPEG", { exact: true }).click();
  // What it pushes down could otherwise move away from under a click.
  await page.getByText("Preview, in a reduced size").waitFor();
  await page.getByText("More options").click();
  const maximum = page.getByLabel("Maximum file size");
  const unit = page.getByLabel("Unit");
  expect(await unit.getByRole("option").allTextContents()).toEqual(["kB", "MB"]);
  await maximum.fill("0.02");
  await unit.selectOption("MB");
  const command = page.locator("pre", { hasText: "image-convert" });
  await page.getByText("As a command").click();
  await command.getByText("bytes=20000").waitFor();
  await maximum.fill("20");
  await unit.selectOption("kB");
  await command.getByText("bytes=20000").waitFor();
  await page.getByRole("button", { name: "Convert", exact: true }).click();
  expect((await save(page)).length).toBeLessThanOrEqual(20_000);
  await page.getByText("Same format").click();
  await page.getByRole("button", { name: "Convert", exact: true }).click();
  await page.locator(".result.old").waitFor({ state: "detached" });
  const stripped = await save(page);
  expect(await pixelsOf(stripped)).toEqual(await pixelsOf(jpeg));
  expect(Buffer.from(stripped).includes("Secret")).toBe(false);
  expect(requests.filter((request) => request.startsWith("POST"))).toEqual([]);
});

browserTest("shows before and after while the quality is chosen, as they were turned", async () => {
  const { jpeg } = await withEverything(300, 200);
  const { page, complaints } = await stage.open("/image-convert");
  await choose(page, "photo.jpg", jpeg);
  const after = page.getByAltText("The image after");
  await page.getByText("Preview, in a reduced size").waitFor();
  const first = await after.getAttribute("src");
  await page.getByRole("slider", { name: "Quality: 82" }).fill("5");
  await expect.poll(() => after.getAttribute("src")).not.toBe(first);
  await page.getByText("More options").click();
  await page.getByText("90°").click();
  const isUpright = (image: HTMLImageElement | SVGElement) =>
    image instanceof HTMLImageElement && image.naturalHeight > image.naturalWidth;
  await expect.poll(() => after.evaluate(isUpright)).toBe(true);
  await page.getByRole("button", { name: "Convert", exact: true }).click();
  await page.getByRole("region", { name: "Result" }).waitFor();
  await expect.poll(() => page.locator("figure").count()).toBe(1);
  expect(complaints).toEqual([]);
});
