import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer as createSocket } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { onTestFinished, test } from "vitest";
import { listen } from "../../adapters/http/listen.ts";
import { createServer } from "../../adapters/server.ts";
import { openDatabase } from "../../db/open.ts";
import { freshIp } from "../fresh-ip.ts";

/** The one without windows does the same in two thirds of the time. */
const BROWSERS = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];
export const CHROMIUM = process.env.CHROMIUM ?? BROWSERS.find(existsSync) ?? "";
const ROOT = new URL("../../", import.meta.url);
// The driver speaks over a socket of a kind that the other runtimes do not have; they serve the same files.
const canDrive = !process.versions.deno && !process.versions.bun && existsSync(CHROMIUM);

/** A test in a real browser; where there is none, its name is printed. */
export function browserTest(name: string, run: () => Promise<void>): void {
  if (!canDrive) console.log(`skipped, no browser to drive here: ${name}`);
  test.runIf(canDrive)(name, run, 120_000);
}

/** A server on a real socket with the pages built, and a browser. */
export interface Stage {
  readonly url: string;
  /** Where the server listens. */
  readonly port: number;
  /** Unix milliseconds; a test moves it. */
  readonly clock: { ahead: number };
  readonly open: (path: string, options?: BrowserContextOptions) => Promise<OpenPage>;
  readonly close: () => Promise<void>;
}

export interface OpenPage {
  readonly page: Page;
  /** What the page has asked the server for, as "POST /path". */
  readonly requests: string[];
  /** Errors and policy violations that the browser complained of. */
  readonly complaints: string[];
}

interface StageOptions {
  readonly publicUrl?: string;
  /** Where to listen, for a test that names the port in the URL. */
  readonly port?: number;
  /** What callers without an account may start. */
  readonly anonymous?: "all" | "none";
}

/** Starts a server and a browser for one test file; where there is no browser, nothing. */
export async function openStage(options: StageOptions = {}): Promise<Stage> {
  if (!canDrive) return { url: "", port: 0, clock: { ahead: 0 }, open: refuse, close: async () => {} };
  await buildPages();
  const clock = { ahead: 0 };
  const server = await startServer(clock, options);
  const browser = await launchBrowser();
  const close = async () => {
    await browser.close();
    await server.close();
  };
  return {
    ...{ url: server.url, port: server.port },
    clock,
    open: (path, options) => open(browser, { url: server.url + path, options }),
    close,
  };
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS });
}

/** The same server by a name under which browsers switch Web Crypto off. */
export const FOREIGN_HOST = "hushkit.test";

const ARGUMENTS = [
  ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
  // A name that is not this machine's own: there a browser calls plain http insecure.
  `--host-resolver-rules=MAP ${FOREIGN_HOST} 127.0.0.1`,
  ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
];

function refuse(): Promise<never> {
  return Promise.reject(new Error("There is no browser"));
}

/** Has the pages built, unless they are built from exactly these sources. */
export async function buildPages(): Promise<void> {
  const builder = fileURLToPath(new URL("web/build.ts", ROOT));
  const deno = process.versions.deno ? ["run", "-A"] : [];
  await promisify(execFile)(process.execPath, [...deno, builder], { cwd: fileURLToPath(ROOT) });
}

/** Starts a server with the pages on a real socket. */
export async function startServer(clock: Stage["clock"], options: StageOptions = {}) {
  const { publicUrl, anonymous = "all", port = await freePort() } = options;
  const url = publicUrl ?? `http://localhost:${port}`;
  const db = await openDatabase(":memory:");
  const service = await createServer({
    db,
    clock: () => Date.now() + clock.ahead,
    publicUrl: url,
    trust: { hops: 1 },
    workers: 1,
    workSeconds: 30,
    memoryBudget: 1024 ** 3,
    maxSecretBytes: 64 * 1024 ** 2,
    registration: "open",
    anonymous,
    write: () => {},
  });
  const listening = await listen(service, { port, host: "127.0.0.1" });
  const close = async () => {
    await listening.stop(1000);
    await service.workers.close();
    await db.close();
  };
  return { url, port, close };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createSocket();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

interface OpenTarget {
  readonly url: string;
  readonly options: BrowserContextOptions | undefined;
}

/** For pages that are to have their service worker: where nothing is tried offline, its cache is half of the time. */
export const OFFLINE_TOO: BrowserContextOptions = { serviceWorkers: "allow" };

// A person of their own each time: nothing is remembered between two calls.
async function open(browser: Browser, { url, options }: OpenTarget): Promise<OpenPage> {
  const context = await browser.newContext({ reducedMotion: "reduce", serviceWorkers: "block", ...options });
  // Pages that stay open go on asking, and take from the tests that follow.
  onTestFinished(() => context.close());
  await context.setExtraHTTPHeaders({ "x-forwarded-for": freshIp() });
  const page = await context.newPage();
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => {
    const { protocol, pathname, search } = new URL(request.url());
    // A blob is in the page already.
    if (protocol !== "blob:") requests.push(`${request.method()} ${pathname}${search}`);
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await page.goto(url);
  return { page, requests, complaints };
}
