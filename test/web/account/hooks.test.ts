// browser
import { afterAll, beforeAll, expect } from "vitest";
import { HOOK_SETTINGS, HOOK_URL } from "../../support/hook-receiver.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ settings: HOOK_SETTINGS });
});
afterAll(() => stage.close());

browserTest("adds a hook, shares without telling it, and removes it", async () => {
  const { page, complaints } = await stage.open("/account");
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill("ann");
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("button", { name: "I have kept it" }).click();
  const hooks = page.getByRole("region", { name: "Notices elsewhere" });
  await hooks.getByText(`Allowed: ${HOOK_SETTINGS.NOTIFY_HOSTS}`).waitFor();
  await hooks.getByLabel("Address to call").fill(HOOK_URL);
  await hooks.getByLabel("Kind").selectOption("Signed JSON (Standard Webhooks)");
  await hooks.getByRole("button", { name: "Add" }).click();
  const key = await hooks.getByLabel("The key that signs the calls").inputValue();
  expect(key).toMatch(/^whsec_/);
  await page.goto(stage.url);
  await page.getByLabel("Your secret").fill("quiet");
  await page.getByLabel("Send me notices about it").uncheck();
  const sending = page.waitForRequest((request) => request.url().includes("/trpc/secrets.create"));
  await page.getByRole("button", { name: "Create link" }).click();
  expect((await sending).postData()).toContain('"notify":false');
  await page.getByLabel("The link", { exact: true }).waitFor();
  await page.goto(`${stage.url}/account`);
  await hooks.getByRole("button", { name: `Remove ${HOOK_SETTINGS.NOTIFY_HOSTS}` }).click();
  await hooks.getByRole("button", { name: "Yes, remove it" }).click();
  await hooks.getByRole("listitem").waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
});
