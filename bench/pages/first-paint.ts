// When a page is seen and when it lives, on a slow phone: 1.6 Mbit/s, 150 ms for a way there and back, a quarter of the
// processor. Beside it the same page without what the build has drawn, in turns. Run alone:
// node bin/start.mjs bench/pages/first-paint.ts [path ...]
import { chromium, type Browser, type BrowserContext } from "playwright-core";
import { buildPages, startServer } from "../../test/web/support/served.ts";
import { findChromium } from "../../test/machine/things.ts";
import { row } from "../support/measure.ts";

const ROUNDS = 7;
const BYTES_A_SECOND = 1_600_000 / 8;
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: BYTES_A_SECOND,
  uploadThroughput: BYTES_A_SECOND,
};
const PHONE = { viewport: { width: 390, height: 844 }, serviceWorkers: "block" } as const;

/** Milliseconds from the beginning of the navigation. */
interface PaintTimes {
  readonly first: number;
  readonly largest: number;
  readonly alive: number;
}

async function benchFirstPaint(paths: readonly string[]): Promise<string[]> {
  await buildPages();
  const server = await startServer({ ahead: 0 });
  const found = await findChromium();
  if (!("at" in found)) throw new Error("There is no Chromium on this machine");
  const browser = await chromium.launch({ executablePath: found.at, args: ["--headless", "--no-sandbox"] });
  const lines: string[] = [];
  for (const path of paths) {
    const [drawn, blank]: [PaintTimes[], PaintTimes[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      drawn.push(await visit(browser, server.url + path, { isDrawn: true }));
      blank.push(await visit(browser, server.url + path, { isDrawn: false }));
    }
    for (const what of ["first", "largest", "alive"] as const) {
      const [value, peer] = [drawn, blank].map((seen) => middle(seen.map((each) => each[what])));
      lines.push(row(`${path}: ${what}`, { value: value ?? 0, unit: "ms", peer: peer ?? 0 }));
    }
  }
  await browser.close();
  await server.close();
  return lines;
}

async function visit(browser: Browser, url: string, { isDrawn }: { isDrawn: boolean }): Promise<PaintTimes> {
  const context = await browser.newContext(PHONE);
  try {
    return await look(context, url, isDrawn);
  } finally {
    await context.close();
  }
}

async function look(context: BrowserContext, url: string, isDrawn: boolean): Promise<PaintTimes> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", NETWORK);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await page.addInitScript(watch, isDrawn);
  await page.goto(url);
  await page.waitForFunction(() => "alive" in globalThis);
  await page.waitForTimeout(300);
  return page.evaluate(() => {
    const [first] = performance.getEntriesByName("first-contentful-paint");
    const { largest = 0, alive = 0 } = globalThis as { largest?: number; alive?: number };
    return { first: first?.startTime ?? 0, largest, alive };
  });
}

/** Runs in the page before anything else of it. */
function watch(isDrawn: boolean): void {
  const seen = globalThis as { largest?: number; alive?: number };
  new PerformanceObserver((list) => {
    seen.largest = list.getEntries().at(-1)?.startTime ?? 0;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  const live = () => {
    if (document.querySelector("main h1") && document.documentElement.dataset["page"] === undefined)
      seen.alive = performance.now();
    else requestAnimationFrame(live);
  };
  requestAnimationFrame(live);
  if (isDrawn) return;
  const observer = new MutationObserver(() => {
    const drawn = document.querySelector(".shell");
    if (!drawn) return;
    drawn.remove();
    observer.disconnect();
  });
  observer.observe(document, { subtree: true, childList: true });
}

function middle(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0;
}

const paths = process.argv.slice(2);
for (const line of await benchFirstPaint(paths.length > 0 ? paths : ["/", "/tools", "/pdf-merge"]))
  console.log(line);
