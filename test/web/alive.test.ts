// browser
import type { BrowserContextOptions, Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { PAGE_NAMES, pathOf } from "../../wire/pages.ts";
import { sampled } from "../support/sampled.ts";
import { pagesPdf } from "../tools/pdf/support/pdf-made.ts";
import { browserTest, openStage, type Stage } from "./support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const ALIVE = () => document.documentElement.dataset["page"] === undefined;

const SCRIPTS = /\/assets\/[^/]+\.js$/;

/** A page whose scripts have not come yet, and what lets them come, or has them answered otherwise. */
async function openDrawn(
  path: string,
  options: BrowserContextOptions = {},
  answer = (route: Route) => route.continue(),
) {
  const { page, complaints } = await stage.open("/healthz", options);
  const held = Promise.withResolvers<void>();
  await page.route(SCRIPTS, async (route) => {
    await held.promise;
    await answer(route);
  });
  await page.goto(stage.url + path, { waitUntil: "commit" });
  await page.locator("footer").waitFor({ state: "attached" });
  const comeAlive = async () => {
    held.resolve();
    await page.waitForFunction(ALIVE);
  };
  return { page, complaints, comeAlive, release: held.resolve };
}

browserTest("keeps what is typed, chosen and unfolded before the scripts are there", async () => {
  const { page, complaints, comeAlive } = await openDrawn("/");
  const secret = page.locator("#secret");
  await secret.fill("early bird");
  await secret.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(2, 5));
  await page.getByLabel("delete it after").selectOption("own");
  await page.locator("summary", { hasText: "One link per person" }).click();
  await page.locator("input[type=file]").setInputFiles({
    ...{ name: "early.txt", mimeType: "text/plain" },
    buffer: Buffer.from("bird"),
  });
  await secret.focus();
  await comeAlive();
  expect(await secret.inputValue()).toBe("early bird");
  const caret = (field: HTMLTextAreaElement) => [
    field.selectionStart,
    field.selectionEnd,
    document.activeElement?.id,
  ];
  expect(await secret.evaluate(caret)).toEqual([2, 5, "secret"]);
  await page.getByText("early.txt", { exact: true }).waitFor();
  await page.getByText("One name on each line").waitFor();
  await page.getByRole("spinbutton").waitFor();
  expect(complaints).toEqual([]);
});

browserTest("takes files from a dialog that was opened before the scripts were there", async () => {
  const { page, complaints, comeAlive } = await openDrawn("/pdf-rotate");
  const opening = page.waitForEvent("filechooser");
  await page.getByText("Choose PDFs").click();
  const dialog = await opening;
  await comeAlive();
  await dialog.setFiles({ name: "a.pdf", mimeType: "application/pdf", buffer: Buffer.from(pagesPdf(1)) });
  await page.getByText("a.pdf", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Rotate", exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

browserTest("does what was pressed before the scripts were there, and sends nothing by address", async () => {
  const { page, comeAlive } = await openDrawn("/");
  await page.getByLabel("Your secret", { exact: true }).fill("early bird");
  await page.getByRole("button", { name: "Create link" }).click();
  await page.keyboard.press("Enter");
  expect(page.url()).toBe(`${stage.url}/`);
  await comeAlive();
  await page.getByLabel("The link", { exact: true }).waitFor();
});

browserTest("shows nothing of another language or page than the one that will be there", async () => {
  const { page } = await stage.open("/", { locale: "en" });
  await page.evaluate(() => localStorage.setItem("language", "de"));
  const held = Promise.withResolvers<void>();
  await page.route(/\/assets\/base[^/]+\.js$/, async (route) => {
    await held.promise;
    await route.continue();
  });
  // As the service worker answers without a network: with the page that it keeps.
  const start = await (await fetch(stage.url, { headers: { accept: "text/html" } })).text();
  await page.route("**/ask", (route) => route.fulfill({ contentType: "text/html", body: start }));
  for (const path of ["/", "/ask"]) {
    await page.goto(stage.url + path, { waitUntil: "commit" });
    await page.locator("footer").waitFor({ state: "attached" });
    expect(await page.locator("h1").first().isVisible()).toBe(false);
  }
  held.resolve();
  await page.getByRole("heading", { name: "Ein Geheimnis anfordern" }).waitFor();
});

browserTest("shows the server's words alone where no script runs", async () => {
  const { page } = await stage.open("/", { javaScriptEnabled: false });
  expect(await page.locator("noscript").count()).toBe(1);
  expect(await page.locator(".shell").isVisible()).toBe(false);
});

/** How far the parts of a page have jumped, as browsers measure it (Layout Instability). */
async function jumpsOf(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => setTimeout(() => resolve(sum), 100));
      }),
  );
}

const SIZES = [
  [390, 844],
  [1280, 720],
] as const;
/** A page whose heading is drawn alone grows below it. */
const MOST_JUMP = 0.05;

for (const [width, height] of SIZES)
  for (const name of sampled(PAGE_NAMES, 3))
    browserTest(`${name} stays where it is at ${width} × ${height} when it becomes alive`, async () => {
      const { page, complaints, comeAlive } = await openDrawn(pathOf(name), { viewport: { width, height } });
      const heading = page.getByRole("heading", { level: 1 });
      const before = [await heading.textContent(), await heading.boundingBox()];
      await page.waitForTimeout(50);
      await comeAlive();
      await page.locator(".loading").waitFor({ state: "detached" });
      expect([await heading.textContent(), await heading.boundingBox()]).toEqual(before);
      expect(await jumpsOf(page)).toBeLessThan(MOST_JUMP);
      expect(complaints).toEqual([]);
    });

const UNLOADED = "This page did not load completely. Please reload it.";
const SAID = {
  en: `${UNLOADED} Copy what you have typed first.`,
  de: "Diese Seite wurde nicht vollständig geladen. Bitte laden Sie sie neu. Kopieren Sie vorher, was Sie eingegeben haben.",
} as const;
const abort = (route: Route) => route.abort();

for (const [width, height] of SIZES)
  for (const locale of ["en", "de"] as const)
    browserTest(
      `says in ${locale} at ${width} × ${height} that scripts do not come, and keeps what is typed`,
      async () => {
        const options = { locale, viewport: { width, height } };
        const { page, release } = await openDrawn("/", options, abort);
        const said = page.getByRole("alert");
        expect(await said.count()).toBe(0);
        await page.locator("#secret").fill("early bird");
        release();
        await said.getByText(SAID[locale], { exact: true }).waitFor();
        await page.locator("footer").scrollIntoViewIfNeeded();
        expect(await said.boundingBox()).toMatchObject({ x: 0, y: 0, width });
        expect(await page.locator("#secret").inputValue()).toBe("early bird");
        await page.unrouteAll();
        await page.reload();
        await page.waitForFunction(ALIVE);
        expect(await page.locator(".dead").count()).toBe(0);
      },
    );

const LOST = {
  "a script that others want": [/\/base[^/]+\.js$/, abort],
  "a script of this release": [/\/index[^/]+\.js$/, (route: Route) => route.fulfill({ body: "export {}" })],
  "a file of words": [/\/en-[^/]+\.js$/, abort],
  "the page itself": [/\/ask-[^/]*\.js$/, abort],
} as const;

for (const [what, [name, answer]] of Object.entries(LOST))
  browserTest(`says that it is not alive where ${what} did not come`, async () => {
    const { page, release } = await openDrawn("/ask", {}, (route) =>
      name.test(route.request().url()) ? answer(route) : route.continue(),
    );
    const field = page.locator("main input:not([type=hidden]), main textarea").first();
    await field.fill("early bird");
    release();
    await page.getByRole("alert").getByText(SAID.en, { exact: true }).waitFor();
    expect(await field.inputValue()).toBe("early bird");
  });

browserTest("says the same behind a link, where nothing can be typed", async () => {
  const { page, release } = await openDrawn(`/s/${"0".repeat(16)}`, {}, abort);
  release();
  await page.getByRole("alert").getByText(UNLOADED, { exact: true }).waitFor();
});
