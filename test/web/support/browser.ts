import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { setRole } from "../../../db/accounts/administered.ts";
import { findMember } from "../../../db/accounts/members.ts";
import type { Thing } from "../../machine/things.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { hasThing, placeOf, testIf, testWith } from "../../machine/skips.ts";
import { buildPages, startServer, type StageOptions, type TestClock } from "./served.ts";

/** The browsers that can be driven: the second one shows notifications too. */
type BrowserThing = Extract<Thing, "Chromium" | "a Chromium with windows">;

// Playwright drives the browser over a pipe that Deno and Bun do not support; they serve the same files.
const isNode = !process.versions.deno && !process.versions.bun;

/** A test in a real browser, where there is one. */
export function browserTest(name: string, run: () => Promise<void>, thing: BrowserThing = "Chromium"): void {
  const make = isNode ? testWith(thing) : testIf(false, "browsers are driven from Node");
  make(name, run);
}

/** A server on a real socket with the pages built, and a browser. */
export interface Stage {
  readonly url: string;
  /** Where the server listens. */
  readonly port: number;
  readonly clock: TestClock;
  /** Makes a member an administrator, as the command line does. */
  readonly makeAdmin: (name: string) => Promise<void>;
  /** Makes a member's logins those of one factor, as a provider may say of one. */
  readonly weaken: (name: string) => Promise<void>;
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

/** Starts a server for one test file, with a browser; where there is no browser, nothing. */
export async function openStage(
  options: StageOptions = {},
  thing: BrowserThing = "Chromium",
): Promise<Stage> {
  if (!isNode || !hasThing(thing)) return NOWHERE;
  await (built ??= buildPages());
  const clock = { ahead: 0 };
  const server = await startServer(clock, options);
  const browser = await sharedBrowser(thing);
  return {
    ...{ url: server.url, port: server.port },
    clock,
    async makeAdmin(name) {
      const member = await findMember(server.db, { name });
      await setRole(server.db, member?.id ?? "", "admin");
    },
    async weaken(name) {
      const member = await findMember(server.db, { name });
      await server.db.query
        .updateTable("session")
        .set({ is_strong: 0 })
        .where("member", "=", member?.id ?? "")
        .execute();
    },
    open: (path, options) => open(browser, { url: server.url + path, options }),
    close: server.close,
  };
}

// Both are for all files of a worker, which loads this module once.
let built: Promise<void> | undefined;
const browsers = new Map<BrowserThing, Promise<Browser>>();

/** One browser for all files, with a context of its own for each page; it ends with the worker. */
async function sharedBrowser(thing: BrowserThing): Promise<Browser> {
  const running = await browsers.get(thing)?.catch(() => undefined);
  if (running?.isConnected()) return running;
  const launched = launchBrowser(thing);
  browsers.set(thing, launched);
  return launched;
}

export function launchBrowser(thing: BrowserThing = "Chromium"): Promise<Browser> {
  // With a language that is not installed Chromium calls every download "download".
  const env = { ...process.env, LANG: "C.UTF-8", LC_ALL: "C.UTF-8" };
  return chromium.launch({ executablePath: placeOf(thing), args: ARGUMENTS, env });
}

/** As long as `expect.poll` looks. */
const WAIT_MS = 60_000;

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

const NOWHERE: Stage = {
  ...{ url: "", port: 0, clock: { ahead: 0 } },
  ...{ makeAdmin: refuse, weaken: refuse, open: refuse, close: async () => {} },
};

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
  context.setDefaultTimeout(WAIT_MS);
  await context.setExtraHTTPHeaders({ "x-forwarded-for": freshIp() });
  const page = await context.newPage();
  if (options?.javaScriptEnabled !== false) awaitLife(page);
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => {
    const { protocol, pathname, search } = new URL(request.url());
    // A blob is in the page already; what the instance is called, every page asks, and sends nothing for it.
    const isOfPage = protocol === "blob:" || pathname.endsWith("/api/instance");
    if (!isOfPage) requests.push(`${request.method()} ${pathname}${search}`);
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  await page.goto(url);
  return { page, requests, complaints };
}

/** How long one is waited for that stays without its scripts, as a test wants. */
const LIFELESS_MS = 5000;

/** Navigations last until the page is alive. What is done before that, `alive.test.ts` tries: it waits for no more than
 * the head of an answer. */
function awaitLife(page: Page): void {
  const { goto, reload } = page;
  const alive = () => document.documentElement.dataset["page"] === undefined;
  const live = () => page.waitForFunction(alive, undefined, { timeout: LIFELESS_MS }).catch(() => undefined);
  page.goto = async (...how) => {
    const response = await goto.apply(page, how);
    if (how[1]?.waitUntil !== "commit") await live();
    return response;
  };
  page.reload = async (...how) => {
    const response = await reload.apply(page, how);
    await live();
    return response;
  };
}

/** Takes the session from the page of an account, which asks for several lists that would be refused too. */
export async function loseSession(page: Page): Promise<void> {
  await expect.poll(() => page.locator("[aria-busy='true']").count()).toBe(0);
  await page.context().clearCookies();
}
