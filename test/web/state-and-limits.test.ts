// browser
import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { createClient } from "../../client/client.ts";
import { freshIp } from "../support/fresh-ip.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { parseLink } from "../../wire/links/links.ts";
import { browserTest, openStage, type Stage } from "./support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

async function register(page: Page, name: string): Promise<void> {
  await page.goto(`${stage.url}/account`);
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByRole("heading", { name }).waitFor();
}

browserTest("shows at once that a secret was opened, without asking for it", async () => {
  const { page, requests, complaints } = await stage.open("/");
  await page.clock.install();
  const { id, key } = await shareOn(page);
  await expect.poll(() => requests).toContain(`GET /api/secrets/${id}/events`);
  await createClient(stage.url).secrets.reveal.mutate({ id, key });
  await page.getByRole("heading", { name: "It was opened" }).waitFor();
  expect(requests.filter((request) => request.includes("secrets.status"))).toEqual([]);
  expect(complaints).toEqual([]);
});

async function shareOn(page: Page): Promise<{ id: string; key: string }> {
  await page.getByLabel("Your secret", { exact: true }).fill("watched");
  await page.getByRole("button", { name: "Create link" }).click();
  const parsed = parseLink(await page.getByLabel("The link", { exact: true }).innerText());
  if (parsed.is !== "complete") throw new Error("The page showed no whole link");
  await page.getByText("Not opened yet").waitFor();
  return parsed.link;
}

/** As behind a proxy that holds answers back. */
async function holdEvents(page: Page): Promise<void> {
  await page.route("**/events", () => {});
}

browserTest("asks where no events come, and then has nothing to delete", async () => {
  const { page, complaints } = await stage.open("/");
  await holdEvents(page);
  await page.clock.install();
  const { id, key } = await shareOn(page);
  await page.getByRole("button", { name: "Delete it now" }).waitFor();
  await createClient(stage.url).secrets.reveal.mutate({ id, key });
  await page.clock.runFor(60_000);
  await page.getByRole("heading", { name: "It was opened" }).waitFor();
  expect(await page.getByRole("button", { name: "Delete it now" }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

browserTest("says so where the server takes a call and never answers, and loses nothing", async () => {
  const { page } = await stage.open("/");
  await page.clock.install();
  await page.locator("#secret").fill("kept");
  const CALLS = /\/(?:api|trpc)\/secrets/;
  const isDead = { value: true };
  await page.route(CALLS, async (route) => {
    if (!isDead.value) await route.continue();
  });
  const asked = page.waitForRequest(CALLS);
  await page.getByRole("button", { name: "Create link" }).click();
  await asked;
  await page.clock.runFor(25_000);
  await page.getByRole("alert").getByText("The server cannot be reached").waitFor();
  isDead.value = false;
  await page.getByRole("button", { name: "Create link" }).click();
  await page.getByLabel("The link", { exact: true }).waitFor();
});

browserTest("asks for the state of a secret only while the page is visible", async () => {
  const { page, requests } = await stage.open("/");
  await holdEvents(page);
  await page.clock.install();
  await shareOn(page);
  await page.evaluate(() => Object.defineProperty(document, "hidden", { value: true, configurable: true }));
  await page.clock.runFor(60_000);
  expect(requests.filter((request) => request.includes("secrets.status"))).toEqual([]);
  const asked = page.waitForRequest((request) => request.url().includes("secrets.status"));
  await page.evaluate(() => {
    Object.defineProperty(document, "hidden", { value: false, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await asked;
});

browserTest(
  "stores 50,000 characters of any kind end to end, and says that one more is too many",
  async () => {
    const { page } = await stage.open("/");
    const text = "🔑ä".repeat(25_000);
    await page.getByLabel("Your secret", { exact: true }).fill(`${text}.`);
    await page
      .getByText("That is 50,001 characters. Without an account, a secret can have up to 50,000.")
      .waitFor();
    await page.getByRole("button", { name: "Create link" }).click();
    expect(await page.getByLabel("The link", { exact: true }).count()).toBe(0);
    await page.getByLabel("Your secret", { exact: true }).fill(text);
    await page.getByRole("button", { name: "Create link" }).click();
    const link = await page.getByLabel("The link", { exact: true }).innerText();
    const other = await stage.open(link.slice(stage.url.length));
    await other.page.getByRole("button", { name: "Open the secret" }).click();
    expect(await other.page.getByRole("region", { name: "The secret" }).textContent()).toBe(text);
  },
);

browserTest("takes a lifetime of one's own, and none past the limit", async () => {
  const { page } = await stage.open("/");
  await page.getByLabel("Your secret", { exact: true }).fill("for a while");
  const choice = page.getByLabel("If nobody opens it, delete it after");
  expect(await choice.locator("option").allTextContents()).not.toContain("90 days");
  await choice.selectOption("Another time…");
  await page.getByLabel("Delete it after", { exact: true }).fill("31");
  await page.getByLabel("Unit").selectOption("days");
  await page.getByText("From 1 minute to 30 days.").waitFor();
  await page.getByRole("button", { name: "Create link" }).click();
  expect(await page.getByLabel("The link", { exact: true }).count()).toBe(0);
  await page.getByLabel("Delete it after", { exact: true }).fill("3");
  await page.getByRole("button", { name: "Create link" }).click();
  await page.getByText("It will be deleted in 3 days if nobody opens it").waitFor();
});

browserTest("offers a member 90 days and 500,000 characters", async () => {
  const { page, complaints } = await stage.open("/");
  await register(page, `member-${freshIp().replaceAll(/\W/g, "-")}`.slice(0, 30));
  await page.getByRole("link", { name: "Share", exact: true }).click();
  await page.getByLabel("If nobody opens it, delete it after").selectOption("90 days");
  await page.getByLabel("Your secret", { exact: true }).fill("x".repeat(50_001));
  await page.getByRole("button", { name: "Create link" }).click();
  await page.getByText("It will be deleted in 90 days if nobody opens it").waitFor();
  expect(complaints).toEqual([]);
});

browserTest("says that an account is deleted", async () => {
  const { page } = await stage.open("/");
  await register(page, "gone");
  await page.getByText("Delete the account", { exact: true }).click();
  await page.getByRole("textbox", { name: "Your password" }).fill("a long password");
  await page.getByRole("button", { name: "Delete the account permanently" }).click();
  await page.getByText("Your account has been deleted.").waitFor();
});

browserTest("shows an anonymous visitor of the account page no error in the console", async () => {
  const { page, complaints } = await stage.open("/account");
  await page.getByRole("button", { name: "Log in", exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

browserTest("writes sizes that agree with the limits, in the person's own way", async () => {
  const path = join(makeTempFolder(), "large.bin");
  writeFileSync(path, "");
  // A hole in the file, and not on the disk.
  truncateSync(path, 20_000_000);
  for (const [locale, size] of [
    ["en-US", "20 MB"],
    ["fr-FR", "20 Mo"],
  ] as const) {
    const { page } = await stage.open("/file-encrypt", { locale });
    await page.locator("main input[type=file]").setInputFiles(path);
    await page.getByText(size).waitFor();
  }
});

browserTest("says what has answered where that is no Hushkit, on each page", async () => {
  const { page } = await stage.open("/account");
  const wall = { status: 502, headers: { server: "gate/1" }, contentType: "text/html", body: "<h1>no</h1>" };
  await page.route("**/trpc/account.login*", (route) => route.fulfill(wall));
  await page.getByLabel("Name").fill("somebody");
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByText("but a proxy in front of it (502, gate/1)").waitFor();
  await page.route("**/status", (route) => route.fulfill({ ...wall, status: 200 }));
  await page.goto(`${stage.url}/s/${"0".repeat(16)}#${"0".repeat(22)}`);
  await page.getByText("A web page came in place of an answer (200, gate/1)").waitFor();
});

browserTest("says that something wants a login where calls are sent to another origin", async () => {
  const sso = { status: 302, headers: { location: "https://sso.invalid/login" } };
  const { page } = await stage.open("/account");
  await page.getByLabel("Name").fill("somebody");
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  // Not before: without the instance's answer the page does not know how to log in.
  await page.route(/\/(trpc|api)\//, (route) => route.fulfill(sso));
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByText("wants you to log in again or refuses you (3xx)").waitFor();
  await page.goto(`${stage.url}/s/${"0".repeat(16)}#${"0".repeat(22)}`);
  await page.getByText("wants you to log in again or refuses you (3xx)").waitFor();
});
