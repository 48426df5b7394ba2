// browser
import { readFile } from "node:fs/promises";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { hasThing } from "../../machine/skips.ts";
import {
  imagePdf,
  jpegImage,
  likeness,
  photograph,
  rawImage,
  render,
  type WrittenImage,
} from "../../tools/pdf/compress/support/image-pdf.ts";
import { assertClean } from "../../tools/pdf/support/judges.ts";
import { textOf } from "../../tools/pdf/support/pdf-made.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";
import { downloadBy } from "../support/download-by.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const SIZE = { width: 600, height: 600 };
const IMAGES: Readonly<Record<string, WrittenImage>> = {
  "a color JPEG": await jpegImage(photograph(600, 600, 3), { ...SIZE, channels: 3 }),
  "a gray JPEG": await jpegImage(photograph(600, 600, 1), { ...SIZE, channels: 1 }),
  "color samples": rawImage(photograph(600, 600, 3), { ...SIZE, space: "/DeviceRGB" }),
  "gray samples": rawImage(photograph(600, 600, 1), { ...SIZE, space: "/DeviceGray" }),
};

browserTest("compresses PDFs in the page, with gray that stays gray", async () => {
  const { page, requests, complaints } = await stage.open("/pdf-compress");
  const folder = makeTempFolder();
  for (const image of Object.values(IMAGES)) {
    const file = imagePdf(image);
    const path = join(folder, "scan.pdf");
    writeFileSync(path, file);
    await page.locator("main input[type=file]").first().setInputFiles(path);
    await page.getByRole("button", { name: "Compress", exact: true }).click();
    const save = page.getByRole("link", { name: "Save", exact: true });
    await save.waitFor();
    const download = await downloadBy(page, () => save.click());
    expect(download.suggestedFilename()).toBe("scan-compressed.pdf");
    const made = new Uint8Array(await readFile(await download.path()));
    assertClean(made);
    expect(made.length).toBeLessThan(file.length / 3);
    expect(textOf(made)).toMatch(/\/Width 150\b/);
    if (hasThing("poppler")) expect(likeness(render(file, 72), render(made, 72))).toBeGreaterThan(28);
    await page.reload();
  }
  expect(requests.filter((request) => request.startsWith("POST"))).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest(
  "shows the first page of the document large, and then that of the result in its place",
  async () => {
    const { page, complaints } = await stage.open("/pdf-compress");
    const path = join(makeTempFolder(), "scan.pdf");
    writeFileSync(path, imagePdf(IMAGES["gray samples"]!));
    await page.locator("main input[type=file]").first().setInputFiles(path);
    const drawnWidth = (place: string) =>
      page.locator(`${place} > canvas.large`).evaluate((canvas: HTMLCanvasElement) => canvas.width);
    await expect.poll(() => drawnWidth(".stage")).toBeGreaterThan(300);
    await page.getByText("· 1 page").waitFor();
    await page.getByRole("button", { name: "Compress", exact: true }).click();
    await expect.poll(() => drawnWidth(".result")).toBeGreaterThan(300);
    expect(await page.locator(".stage > canvas.large").count()).toBe(0);
    await page.getByText("Printing", { exact: true }).click();
    await expect.poll(() => drawnWidth(".stage")).toBeGreaterThan(300);
    expect(complaints).toEqual([]);
  },
);

browserTest("says what became of the size, and takes a choice of one's own", async () => {
  const { page } = await stage.open("/pdf-compress");
  const path = join(makeTempFolder(), "scan.pdf");
  writeFileSync(path, imagePdf(await jpegImage(photograph(600, 600, 3), { ...SIZE, channels: 3 })));
  await page.locator("main input[type=file]").first().setInputFiles(path);
  await page.getByText("Custom").click();
  const submit = page.getByRole("button", { name: "Compress", exact: true });
  await page.getByRole("spinbutton", { name: "Pixels per inch" }).fill("35");
  expect(await submit.isDisabled()).toBe(true);
  await page.getByRole("spinbutton", { name: "Pixels per inch" }).fill("36");
  await submit.click();
  await page.getByText("Images made smaller").waitFor();
  expect(await page.locator("main").innerText()).toMatch(/became \d+/);
});
