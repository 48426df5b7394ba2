// How long a browser takes for a long text in each field of the pages: paste, select all, a key. Beside it a bare
// textarea in the same browser, in turns. Run alone: node bin/start.mjs bench/pages/long-texts.ts [characters] [field ...]
import { chromium, type BrowserContext, type CDPSession, type Page } from "playwright-core";
import { buildPages, startServer } from "../../test/web/support/served.ts";
import { findChromium } from "../../test/machine/things.ts";
import { row } from "../support/measure.ts";

const ROUNDS = 3;
const PAUSE_MS = 800;
const LINE = "The quick brown fox jumps over the lazy dog and goes on to the river, 0123456.\n";

interface Field {
  readonly path: string;
  readonly prepare?: (page: Page) => Promise<void>;
  readonly place: string;
}

const FIELDS: Readonly<Record<string, Field>> = {
  share: { path: "/", place: "#secret" },
  people: {
    path: "/",
    prepare: (page) => page.locator("form.share summary").first().click(),
    place: "form.share details textarea",
  },
  ask: { path: "/ask", place: "main textarea" },
  compare: { path: "/text-compare", place: "main textarea >> nth=0" },
  checksums: { path: "/file-hash", prepare: chooseTwo, place: "main textarea" },
};

async function chooseTwo(page: Page): Promise<void> {
  const named = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(name) });
  await page.locator("main input[type=file]").setInputFiles([named("a.txt"), named("b.txt")]);
}

type Times = Record<string, number[]>;

/** Milliseconds of the page's processor for each act in each field, and how many times those of a bare textarea. */
async function benchLongTexts(characters: number, names: readonly string[]): Promise<string[]> {
  await buildPages();
  const server = await startServer({ ahead: 0 });
  const found = await findChromium();
  if (!("at" in found)) throw new Error("There is no Chromium on this machine");
  const browser = await chromium.launch({ executablePath: found.at, args: ["--headless", "--no-sandbox"] });
  const context = await browser.newContext({ reducedMotion: "reduce", serviceWorkers: "block" });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await putIntoClipboard(context, { url: server.url, characters });
  const lines: string[] = [];
  for (const name of names) {
    const field = FIELDS[name];
    if (!field) throw new Error(`There are ${Object.keys(FIELDS).join(", ")}`);
    const [bare, own]: [Times, Times] = [{}, {}];
    for (let round = 0; round < ROUNDS; round++) {
      const look = await measure(context, { times: own, field, url: server.url });
      await measure(context, { times: bare, field: look, url: server.url });
    }
    for (const [act, times] of Object.entries(own))
      lines.push(row(`${name}: ${act}`, { value: middle(times), unit: "ms", peer: middle(bare[act] ?? []) }));
  }
  await browser.close();
  await server.close();
  return lines;
}

async function putIntoClipboard(
  context: BrowserContext,
  { url, characters }: { url: string; characters: number },
): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${url}/healthz`);
  const text = LINE.repeat(Math.ceil(characters / LINE.length)).slice(0, characters);
  await page.evaluate((long) => navigator.clipboard.writeText(long), text);
  await page.close();
}

/** Measures in a field, or in a bare one with its look: how many lines a text has is half of the time. Gives that look. */
async function measure(
  context: BrowserContext,
  { times, field, url }: { times: Times; field: Field | string; url: string },
): Promise<string> {
  const page = await context.newPage();
  if (typeof field === "string")
    await page.setContent(`<textarea spellcheck="false" style="${field}"></textarea>`);
  else {
    await page.goto(url + field.path);
    await field.prepare?.(page);
  }
  const text = page.locator(typeof field === "string" ? "textarea" : field.place);
  const look = await text.evaluate((element) => {
    const { width, height, font, padding } = getComputedStyle(element);
    return `box-sizing: border-box; width: ${width}; height: ${height}; font: ${font}; padding: ${padding}`.replaceAll(
      '"',
      "'",
    );
  });
  await text.focus();
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  for (const [act, key] of Object.entries({ paste: "Control+v", all: "Control+a", end: "End", key: "x" })) {
    const before = await taskTime(session);
    await page.keyboard.press(key);
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    (times[act] ??= []).push(((await taskTime(session)) - before) * 1000);
    // What is worked out when typing pauses is not of the next act.
    await page.waitForTimeout(PAUSE_MS);
  }
  await page.close();
  return look;
}

/** Seconds of the processor that the page has taken: what else the machine does counts little. */
async function taskTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
}

const [characters = "5000000", ...names] = process.argv.slice(2);
for (const line of await benchLongTexts(Number(characters), names.length > 0 ? names : Object.keys(FIELDS)))
  console.log(line);
