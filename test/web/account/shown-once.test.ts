// browser
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { createClient } from "../../../client/client.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";
import { press } from "../support/keyboard.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ anonymous: "none" });
});
afterAll(() => stage.close());

const PASSWORD = "a long password";

async function openAs(name: string) {
  const client = createClient(stage.url, { headers: { "x-forwarded-for": freshIp() } });
  await client.account.register.mutate({ name, password: PASSWORD });
  const opened = await stage.open("/account", { permissions: ["clipboard-read", "clipboard-write"] });
  await enter(opened.page, name);
  await opened.page.getByRole("heading", { name, level: 1 }).waitFor();
  return opened;
}

async function enter(page: Page, name: string): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
}

browserTest("says that a logout has failed, and logs out when asked again", async () => {
  const { page, complaints } = await openAs("leaver");
  await page.route("**/trpc/account.logout*", (route) => route.abort());
  await press(page.getByRole("button", { name: "Log out", exact: true }));
  await page.getByRole("alert").getByText("cannot be reached").waitFor();
  await page.unrouteAll();
  await press(page.getByRole("button", { name: "Log out", exact: true }));
  await page.getByText("Create an account").waitFor();
  expect(complaints.filter((each) => !each.includes("net::ERR_FAILED"))).toEqual([]);
});
