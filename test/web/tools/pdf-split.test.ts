// browser
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { chapters } from "../../tools/pdf/support/chapters.ts";
import { pagesPdf } from "../../tools/pdf/support/pdf-made.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const LOCKED = readFileSync(new URL("../../files/encrypted/aes-256-r6.pdf", import.meta.url));

function choose(page: Page, name: string, bytes: Uint8Array): Promise<void> {
  const file = { name, mimeType: "application/pdf", buffer: Buffer.from(bytes) };
  return page.locator("main input[type=file]").first().setInputFiles(file);
}

const splitButton = (page: Page) => page.getByRole("button", { name: "Split", exact: true });

browserTest(
  "offers to split by bookmarks where there are some, and says how many files that makes",
  async () => {
    const { page, complaints } = await stage.open("/pdf-split");
    await choose(page, "chapters.pdf", chapters());
    await page.getByText("A file per bookmark").click();
    await page.getByText("4 files", { exact: true }).waitFor();
    await page.getByText("Every few pages").click();
    await page.getByLabel("Pages per file").fill("4");
    await page.getByText("2 files", { exact: true }).waitFor();
    await page.getByText("A file per bookmark").click();
    await page.getByRole("button", { name: "Choose another file" }).click();
    await choose(page, "plain.pdf", pagesPdf(3));
    await page.getByText("3 pages · This document has no bookmarks that lead to its pages.").waitFor();
    expect(await page.getByLabel("A file per bookmark").count()).toBe(0);
    expect(await page.getByRole("radio", { name: "Keep pages" }).isChecked()).toBe(true);
    expect(complaints).toEqual([]);
  },
);

browserTest("offers nothing that depends on the pages before they are known", async () => {
  const { page } = await stage.open("/pdf-split");
  // Their worker comes late.
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.context().route(/worker[^/]*\.js/, async (route) => {
    await held;
    await route.continue();
  });
  await choose(page, "three.pdf", pagesPdf(3));
  await page.getByText("Reading its pages and bookmarks…").waitFor();
  expect(await page.getByRole("radio", { name: "Keep pages" }).isDisabled()).toBe(true);
  expect(await page.getByLabel("Pages to keep").count()).toBe(0);
  expect(await splitButton(page).isDisabled()).toBe(true);
  letGo();
  await page.getByLabel("Pages to keep").fill("2");
  await splitButton(page).click();
  await page.getByText("1 of 3 pages").waitFor();
});

browserTest("tells at the field of pages past the last, and of a split that leaves none", async () => {
  const { page } = await stage.open("/pdf-split");
  await choose(page, "three.pdf", pagesPdf(3));
  const field = page.getByLabel("Pages to keep");
  await field.fill("2-4");
  await page.getByRole("status").getByText("There is no page 4: the document has 3 pages.").waitFor();
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  expect(await splitButton(page).isDisabled()).toBe(true);
  await page.getByText("Remove pages", { exact: true }).click();
  await page.getByLabel("Pages to remove").fill("1-end");
  await page.getByText("No page would be left.").waitFor();
  await page.getByLabel("Pages to remove").fill("1");
  await splitButton(page).click();
  await page.getByText("2 of 3 pages").waitFor();
});

browserTest("asks for the password of a document before it offers ways to split it", async () => {
  const { page } = await stage.open("/pdf-split");
  await choose(page, "locked.pdf", LOCKED);
  const password = page.getByRole("textbox", { name: "PDF password" });
  await password.waitFor();
  expect(await page.getByRole("radio", { name: "Keep pages" }).count()).toBe(0);
  expect(await splitButton(page).isDisabled()).toBe(true);
  await password.fill("wrong");
  await page.getByText("That password is wrong.").waitFor();
  await password.fill("geheim");
  await page.getByText("1 page · This document has no bookmarks").waitFor();
  await page.getByText("One file per page").click();
  await splitButton(page).click();
  await page.getByRole("link", { name: "Save", exact: true }).waitFor();
});

browserTest("says of a damaged document when it is chosen that it is damaged", async () => {
  const { page } = await stage.open("/pdf-split");
  await choose(page, "broken.pdf", Buffer.from("%PDF-1.7\nnothing follows"));
  await page.getByRole("alert").getByText("This file is damaged.").waitFor();
});
