// browser
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { browserTest, openStage, type Stage } from "./support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const LONG = "a line of a long text, with some words\n".repeat(10_000);

const FIELDS: Readonly<Record<string, { path: string; prepare?: (page: Page) => Promise<void> }>> = {
  "#secret": { path: "/" },
  "form.share details textarea": {
    path: "/",
    prepare: (page) => page.locator("form.share summary").first().click(),
  },
  "main form textarea": { path: "/ask" },
  ".texts textarea >> nth=1": { path: "/text-compare" },
  "main .field textarea": { path: "/file-hash", prepare: chooseTwo },
};

async function chooseTwo(page: Page): Promise<void> {
  const named = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(name) });
  await page.locator("main input[type=file]").setInputFiles([named("a.txt"), named("b.txt")]);
}

/** Runs in the page: notes what goes over a long text while a key is taken, until the page has been drawn anew. */
function watchLongWork(): void {
  const found: string[] = [];
  let isTaking = false;
  Object.assign(globalThis, { found });
  document.addEventListener(
    "input",
    () => {
      isTaking = true;
      setTimeout(() => (isTaking = false));
    },
    true,
  );
  const watch = (owner: object, name: string | symbol) => {
    const own: unknown = Reflect.get(owner, name);
    if (typeof own !== "function") return;
    Object.defineProperty(owner, name, {
      configurable: true,
      writable: true,
      value(this: unknown, ...args: unknown[]): unknown {
        const isLong = [this, ...args].some((each) => typeof each === "string" && each.length > 100_000);
        if (isTaking && isLong) found.push(String(name));
        return Reflect.apply(own, this, args);
      },
    });
  };
  for (const name of ["split", "replace", "replaceAll", "match", "matchAll", "normalize", Symbol.iterator])
    watch(String.prototype, name);
  watch(TextEncoder.prototype, "encode");
  for (const name of ["exec", "test"]) watch(RegExp.prototype, name);
  watch(JSON, "stringify");
}

browserTest("does nothing at a key that takes the longer, the longer the text is", async () => {
  const { page } = await stage.open("/healthz");
  await page.addInitScript(watchLongWork);
  for (const [place, { path, prepare }] of Object.entries(FIELDS)) {
    await page.goto(stage.url + path);
    await prepare?.(page);
    const field = page.locator(place).first();
    // Typed or filled in, a browser lays each line by itself, which takes minutes.
    await field.evaluate((element, text) => {
      if (element instanceof HTMLTextAreaElement) element.value = text;
      element.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }, LONG);
    await field.press("x");
    await expect.poll(async () => (await field.inputValue()).length).toBe(LONG.length + 1);
    const found = await page.evaluate(() => (globalThis as { found?: string[] }).found);
    expect([path, place, ...(found ?? ["nothing was watched"])]).toEqual([path, place]);
  }
});

browserTest("lays nothing closed beside a field for a long text", async () => {
  for (const path of ["/", "/text-compare"]) {
    const { page } = await stage.open(path);
    await page.locator("main details").first().waitFor();
    const shown = await page
      .locator("main details:not([open])")
      .evaluateAll((all) => all.map((each) => getComputedStyle(each, "::details-content").display));
    expect([...new Set(shown)]).toEqual(["none"]);
  }
});
