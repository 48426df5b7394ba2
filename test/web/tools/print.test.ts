// browser
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { pageTexts } from "../../tools/pdf/support/judges.ts";
import { sendText } from "../support/send-text.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const SECTIONS = Array.from({ length: 60 }, (_, section) => section);
const WIDE = { width: 1280, height: 720 };
const NARROW = { width: 390, height: 844 };

/** Sections with equal lines between them: more lines that differ than a page shows at first. */
function textOf(side: string): string {
  const lines = (section: number) => [
    ...Array.from({ length: 20 }, (_, line) => `equal ${section} ${line}`),
    `section ${section} ${side}`,
    ...Array.from({ length: 19 }, (_, line) => `more ${section} ${line} ${side}`),
  ];
  return SECTIONS.flatMap(lines).join("\n");
}

async function compare(page: Page, texts: readonly [string, string]): Promise<void> {
  for (const [i, text] of texts.entries())
    // Typed or filled in, a browser lays each line by itself, which takes minutes.
    await page
      .locator("main textarea")
      .nth(i)
      .evaluate((field: HTMLTextAreaElement, value) => {
        field.value = value;
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }, text);
  await page.locator("form .primary").click();
  await page.locator(".diff").waitFor();
}

/** The words of all pages that the browser prints, each with one space before it. */
async function printed(page: Page): Promise<string> {
  const texts = await pageTexts(await page.pdf({ format: "A4" }));
  return ` ${texts.join(" ").replaceAll(/\s+/g, " ")} `;
}

browserTest("prints a long secret from the first page on, below its title", async () => {
  const lines = Array.from({ length: 90 }, (_, line) => `row ${line} of it`);
  const { page } = await stage.open(await sendText(stage.url, lines.join("\n")));
  await page.getByRole("button", { name: "Open the secret" }).click();
  await page.getByText("row 89 of it").waitFor();
  // Firefox breaks no grid, and begins a page for what does not fit; Chromium does.
  await page.emulateMedia({ media: "print" });
  expect(await page.locator(".page").evaluate((element) => getComputedStyle(element).display)).toBe("block");
  const [first = "", ...more] = await pageTexts(await page.pdf({ format: "A4" }));
  expect(first).toContain("row 0 of it");
  expect(more.join(" ")).toContain("row 89 of it");
});

const LOCALES = {
  en: {
    not: ["Share", "Tools", "Log in", "First text", "White space", "Side by side", "As a command", "MIT"],
  },
  de: { not: ["Teilen", "Werkzeuge", "Anmelden", "Erster Text", "Leerraum", "Nebeneinander", "MIT"] },
} as const;

for (const locale of ["en", "de"] as const)
  for (const viewport of [WIDE, NARROW])
    browserTest(
      `prints all of a comparison in ${locale} at ${viewport.width} × ${viewport.height}`,
      async () => {
        const options: BrowserContextOptions = { locale, viewport, colorScheme: "dark" };
        const { page, complaints } = await stage.open("/text-compare", options);
        await compare(page, [textOf("before"), textOf("after")]);
        const shown = await page.locator(".diff tr").count();
        const text = await printed(page);
        for (const side of ["before", "after"])
          expect(SECTIONS.filter((section) => !text.includes(`section ${section} ${side} `))).toEqual([]);
        expect(text).toContain("more 59 18 after");
        expect(LOCALES[locale].not.filter((words) => text.includes(` ${words} `))).toEqual([]);
        // What was drawn for the print goes with it.
        await expect.poll(() => page.locator(".diff tr").count()).toBe(shown);
        expect(complaints).toEqual([]);
      },
    );

browserTest("prints all words of a comparison by words, and whole lines that were not wrapped", async () => {
  const { page } = await stage.open("/text-compare", { viewport: WIDE });
  await page.getByText("Words", { exact: true }).click();
  const words = (side: string) =>
    SECTIONS.map((section) => `section ${section} ${`same ${side} `.repeat(60)}`).join("\n");
  await compare(page, [words("before"), words("after")]);
  const byWords = await printed(page);
  expect(SECTIONS.filter((section) => !byWords.includes(` section ${section} `))).toEqual([]);
  await page.getByText("Lines", { exact: true }).click();
  await page.locator(".diff table").waitFor();
  await page.getByText("Code", { exact: true }).click();
  await page.getByText("Wrap long lines").click();
  await compare(page, [`${"long ".repeat(200)}start`, `${"long ".repeat(200)}finish`]);
  const whole = await printed(page);
  expect([whole.includes("start"), whole.includes("finish")]).toEqual([true, true]);
});

browserTest("prints a new link without its buttons", async () => {
  const { page } = await stage.open("/");
  await page.locator("#secret").fill("on paper");
  await page.getByRole("button", { name: "Create link" }).click();
  await page.locator(".chip").waitFor();
  await page.emulateMedia({ media: "print" });
  expect(await page.locator("button:visible").allTextContents()).toEqual([]);
  expect(await printed(page)).toContain("/s/");
});
