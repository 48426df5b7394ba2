// browser
import { request as ask } from "node:http";
import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { freshIp } from "../../support/fresh-ip.ts";
import { browserTest, OFFLINE_TOO, openStage, type Stage } from "../support/browser.ts";
import { press } from "../support/keyboard.ts";
import { sendText } from "../support/send-text.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** Bytes on the wire, heads included: for opening one secret, and for the first visit to the page that shares one. */
const MOST_BYTES = { open: 32 * 1024, share: 52_500 };

/** What documents and scripts need. Icons are asked for by some browsers only. */
const OWN_KINDS = ["document", "script", "stylesheet", "fetch"];

/** What a page asks for from now on. */
function watchRequests(page: Page): Request[] {
  const asked: Request[] = [];
  page.on("request", (request) => {
    if (OWN_KINDS.includes(request.resourceType())) asked.push(request);
  });
  return asked;
}

function pathsOf(requests: readonly Request[]): string[] {
  return [...new Set(requests.map((request) => new URL(request.url()).pathname))];
}

/** What a browser says of itself; the server tells pages of its own less in the heads than it tells others. */
const HEADERS = {
  ...{ accept: "text/html,*/*", "accept-encoding": "gzip, deflate, br", "accept-language": "en-US" },
  "sec-fetch-site": "same-origin",
};

/** The document at a path, and the files that it and its head name; the typeface, which a page is shown without, apart. */
async function namedAt(path: string): Promise<string[]> {
  const response = await fetch(stage.url + path, { headers: HEADERS });
  const html = await response.text();
  const inPage = /<script[^>]* src="([^"]+)"|<link rel="(?:modulepreload|stylesheet)"[^>]* href="([^"]+)"/g;
  const inHead = /<([^>]+)>; rel=(?:preload|modulepreload)/g;
  const named = [...html.matchAll(inPage), ...(response.headers.get("link") ?? "").matchAll(inHead)];
  return [...new Set([path, ...named.map(([, first, second]) => first ?? second ?? "")])];
}

/** Bytes of an answer as the server packs it, with its head. */
function weigh(url: string, { method = "GET", body = "" } = {}): Promise<number> {
  const headers = { ...HEADERS, "content-type": "application/json", "x-forwarded-for": freshIp() };
  return new Promise((resolve, reject) => {
    const asking = ask(url, { method, headers }, (answer) => {
      let bytes = `HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}\r\n\r\n`.length;
      for (const part of answer.rawHeaders) bytes += part.length + 2;
      answer.on("data", (piece: Buffer) => (bytes += piece.length));
      answer.on("end", () => resolve(bytes));
      answer.on("error", reject);
    });
    asking.on("error", reject);
    asking.end(body);
  });
}

/** By path, and of all together. */
async function weighAll(weights: readonly (readonly [path: string, bytes: Promise<number>])[]) {
  const all = await Promise.all(weights.map(async ([path, bytes]) => [path, await bytes] as const));
  return { all: JSON.stringify(all), bytes: all.reduce((sum, [, bytes]) => sum + bytes, 0) };
}

/** Waits until what a page has drawn has had its effects. */
function settle(page: Page): Promise<void> {
  return page.evaluate(
    () =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)))),
  );
}

browserTest("loads little to open a secret, and nothing in the background", async () => {
  const link = await sendText(stage.url, "light");
  // At first an answer without scripts: there is nothing yet that a page would have loaded.
  const { page, requests } = await stage.open("/healthz", OFFLINE_TOO);
  const asked = watchRequests(page);
  await page.goto(stage.url + link);
  await press(page.getByRole("button", { name: "Open the secret" }));
  await page.getByText("light", { exact: true }).waitFor();
  await settle(page);
  expect(requests).not.toContain("GET /offline.js");
  expect(
    await page.evaluate(() => navigator.serviceWorker.getRegistrations().then(({ length }) => length)),
  ).toBe(0);
  const paths = pathsOf(asked);
  const [document = "", ...named] = await namedAt(link.replace(/#.*/, ""));
  expect(paths).toEqual(expect.arrayContaining([document, ...named]));
  // The same answers again: whoever asks with the ticket of the tab is given the secret once more.
  const once = new Map(asked.map((request) => [request.url(), request]));
  const weights = [...once].map(([url, request]) => {
    const body = request.postData() ?? "";
    return [new URL(url).pathname, weigh(url, { method: request.method(), body })] as const;
  });
  const { bytes, all } = await weighAll(weights);
  expect(bytes, all).toBeLessThanOrEqual(MOST_BYTES.open);
});

browserTest("loads what the form needs on a first visit, and the rest when somebody types", async () => {
  const { page } = await stage.open("/healthz");
  const asked = watchRequests(page);
  await page.goto(stage.url);
  await page.getByRole("button", { name: "Create link" }).waitFor();
  await settle(page);
  const named = await namedAt("/");
  const isMore = (path: string) => !named.includes(path);
  expect(pathsOf(asked).filter(isMore)).toEqual([]);
  const { bytes, all } = await weighAll(named.map((path) => [path, weigh(stage.url + path)] as const));
  expect(bytes, all).toBeLessThanOrEqual(MOST_BYTES.share);
  await page.getByLabel("Your secret", { exact: true }).fill("light");
  await expect.poll(() => pathsOf(asked).filter(isMore)).not.toEqual([]);
});
