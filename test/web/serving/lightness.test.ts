// slow
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { freshIp } from "../../support/fresh-ip.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";
import { press } from "../support/keyboard.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** Bytes on the wire, heads included: for opening one secret, and for the first visit to the page that shares one. */
const MOST_BYTES = { open: 32_000, share: 55_000 };

/** What a page has loaded, by path; the typeface, which a page is shown without, apart. */
async function watchLoads(
  page: Page,
): Promise<{ paths: () => string[]; bytes: () => number; all: () => string }> {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const paths = new Map<string, string>();
  const sizes: [path: string, bytes: number][] = [];
  session.on("Network.responseReceived", ({ requestId, response }) => paths.set(requestId, response.url));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
    sizes.push([new URL(paths.get(requestId) ?? "http://unknown/").pathname, encodedDataLength]),
  );
  const counted = () => sizes.filter(([path]) => !path.endsWith(".woff2"));
  return {
    paths: () => sizes.map(([path]) => path),
    bytes: () => counted().reduce((sum, [, bytes]) => sum + bytes, 0),
    all: () => JSON.stringify(sizes),
  };
}

browserTest("loads little to open a secret, and nothing in the background", async () => {
  const { page: sender } = await stage.open("/");
  await sender.getByLabel("Your secret").fill("light");
  await press(sender.getByRole("button", { name: "Create link" }));
  const link = await sender.getByLabel("The link", { exact: true }).inputValue();
  const context = await sender.context().browser()!.newContext(); // stage.open() has made one
  await context.setExtraHTTPHeaders({ "x-forwarded-for": freshIp() });
  const page = await context.newPage();
  const loads = await watchLoads(page);
  await page.goto(link);
  await press(page.getByRole("button", { name: "Open the secret" }));
  await page.getByText("light", { exact: true }).waitFor();
  await page.waitForTimeout(1500);
  expect(loads.paths()).not.toContain("/offline.js");
  expect(
    await page.evaluate(() => navigator.serviceWorker.getRegistrations().then(({ length }) => length)),
  ).toBe(0);
  expect(loads.bytes(), loads.all()).toBeLessThanOrEqual(MOST_BYTES.open);
});

browserTest("loads what the form needs on a first visit, and the rest when somebody types", async () => {
  const { page } = await stage.open("/tools");
  const context = await page.context().browser()!.newContext({ serviceWorkers: "block" });
  const first = await context.newPage();
  const loads = await watchLoads(first);
  await first.goto(stage.url);
  await first.getByRole("button", { name: "Create link" }).waitFor();
  await first.waitForLoadState("networkidle");
  expect(loads.bytes(), loads.all()).toBeLessThanOrEqual(MOST_BYTES.share);
  const before = loads.paths().length;
  await first.getByLabel("Your secret").fill("light");
  await expect.poll(() => loads.paths().length).toBeGreaterThan(before);
  await context.close();
});
