// slow
import { afterAll, beforeAll, expect } from "vitest";
import { freshIp } from "../../support/fresh-ip.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";
import { press } from "../support/keyboard.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** Bytes on the wire for opening one secret, heads included. */
const MOST_BYTES = 35_000;

browserTest("loads little to open a secret, and nothing in the background", async () => {
  const { page: sender } = await stage.open("/");
  await sender.getByLabel("Your secret").fill("light");
  await press(sender.getByRole("button", { name: "Create link" }));
  const link = await sender.getByLabel("The link", { exact: true }).inputValue();
  const context = await sender.context().browser()!.newContext(); // stage.open() has made one
  await context.setExtraHTTPHeaders({ "x-forwarded-for": freshIp() });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  const paths = new Map<string, string>();
  const sizes: [path: string, bytes: number][] = [];
  session.on("Network.responseReceived", ({ requestId, response }) => paths.set(requestId, response.url));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
    sizes.push([new URL(paths.get(requestId) ?? link).pathname, encodedDataLength]),
  );
  await page.goto(link);
  await press(page.getByRole("button", { name: "Open the secret" }));
  await page.getByText("light", { exact: true }).waitFor();
  await page.waitForTimeout(1500);
  expect(sizes.map(([path]) => path)).not.toContain("/offline.js");
  expect(
    await page.evaluate(() => navigator.serviceWorker.getRegistrations().then(({ length }) => length)),
  ).toBe(0);
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  expect(total, JSON.stringify(sizes)).toBeLessThanOrEqual(MOST_BYTES);
});
