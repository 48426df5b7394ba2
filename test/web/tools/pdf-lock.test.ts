// browser
import { readFile } from "node:fs/promises";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { unlockPdf } from "../../../tools/pdf-unlock.ts";
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

async function save(page: Page) {
  const download = await downloadBy(page, () =>
    page.getByRole("link", { name: "Save", exact: true }).click(),
  );
  return { name: download.suggestedFilename(), bytes: new Uint8Array(await readFile(await download.path())) };
}

browserTest("locks a PDF in the page, with what it allows", async () => {
  const { page, requests, complaints } = await stage.open("/pdf-lock");
  await page
    .locator("main input[type=file]")
    .first()
    .setInputFiles(fileOf("plan.pdf", pagesPdf(3)));
  const lock = page.getByRole("button", { name: "Lock", exact: true });
  await lock.waitFor();
  expect(await lock.isDisabled()).toBe(true);
  await page.getByRole("textbox", { name: "New password" }).fill("neu");
  await page.getByText("More options").click();
  await page.getByRole("checkbox", { name: "Copying" }).uncheck();
  await page.getByRole("textbox", { name: "Owner’s password" }).fill("chef");
  await lock.click();
  const { name, bytes } = await save(page);
  expect(name).toBe("plan-locked.pdf");
  for (const password of ["neu", "chef"]) {
    expect(await unlockPdf(bytes, { password })).toMatchObject({ pages: 3, removed: ["copy"] });
  }
  await page.getByText("Keep it somewhere safe").waitFor();
  await page.getByRole("textbox", { name: "New password" }).fill("newer");
  await page.getByText("You have changed something since.").waitFor();
  const result = page.getByRole("region", { name: "Result" });
  expect(await result.locator(".copyable code").innerText()).toBe("neu");
  await page.getByRole("textbox", { name: "New password" }).fill("neu");
  const allowed = "Printing, Editing, Commenting, Filling in forms, and Arranging pages";
  expect(await page.locator("main").innerText()).toContain(allowed);
  expect(requests.filter((request) => request.startsWith("POST"))).toEqual([]);
  expect(complaints).toEqual([]);
});

browserTest("asks for the present password of a PDF that is locked, and can allow nothing", async () => {
  const { page, complaints } = await stage.open("/pdf-lock");
  const locked = fileURLToPath(new URL("../../files/encrypted/aes-256-r6.pdf", import.meta.url));
  await page.locator("main input[type=file]").first().setInputFiles(locked);
  await page.getByText("This PDF is protected. Enter its password.").waitFor();
  await page.getByRole("textbox", { name: "PDF password" }).fill("geheim");
  await page.getByRole("textbox", { name: "New password" }).fill("neu");
  await page.getByText("More options").click();
  for (const box of await page.getByRole("checkbox").all()) await box.uncheck();
  await page.getByRole("button", { name: "Lock", exact: true }).click();
  const { bytes } = await save(page);
  expect((await unlockPdf(bytes, { password: "neu" })).removed.length).toBe(7);
  expect(complaints).toEqual([]);
});
