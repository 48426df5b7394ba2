// browser
import { afterAll, beforeAll, expect } from "vitest";
import type { Page } from "playwright-core";
import { createClient } from "../../../client/client.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { FIND_FAULTS } from "../support/axe.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";
import { evaluateApart } from "../support/drivers/chromium.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const PASSWORD = "correct horse";

async function register(page: Page, name: string): Promise<void> {
  await page.goto(`${stage.url}/account`);
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByRole("heading", { name, level: 1 }).waitFor();
}

async function openAsAdmin(name: string) {
  const opened = await stage.open("/account");
  await register(opened.page, name);
  await stage.makeAdmin(name);
  await opened.page.reload();
  await opened.page.getByRole("link", { name: "Members of this server" }).click();
  await opened.page.getByRole("heading", { name: "Members of this server", level: 1 }).waitFor();
  return opened;
}

const rowOf = (page: Page, name: string) => page.getByRole("listitem").filter({ hasText: name });

browserTest(
  "an administrator finds a member, disables and enables them, and gives a new password",
  async () => {
    const other = await stage.open("/account");
    await register(other.page, "bob-the-member");
    const { page, complaints } = await openAsAdmin("ann-the-admin");
    await page.getByLabel("Part of the name").fill("bob");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await rowOf(page, "ann-the-admin").waitFor({ state: "detached" });
    const row = rowOf(page, "bob-the-member");
    await row.getByText("Manage").click();
    await row.getByRole("button", { name: "Disable" }).click();
    await row.getByRole("button", { name: "Yes, disable" }).click();
    await row.getByText("Disabled").waitFor();
    await other.page.reload();
    await other.page.getByText("Create an account").waitFor();
    await row.getByRole("button", { name: "Enable again" }).click();
    await row.getByText("Disabled").waitFor({ state: "detached" });
    await row.getByText("New password", { exact: true }).click();
    await row.getByRole("group", { name: "All of these end" }).getByLabel("API tokens").check();
    await row.getByRole("button", { name: "Make a new password" }).click();
    await row.getByRole("button", { name: "Yes, replace it" }).click();
    const made = page.getByRole("status").filter({ hasText: "Give this to bob-the-member" });
    await made.getByText("The password is good for a day.").waitFor();
    expect(await made.locator("dl > div").allTextContents()).toEqual([
      // Disabling the account has ended them already.
      "Logins in browsers0",
      "API tokenskept",
      "Passkeys0",
      "Authenticator app0",
    ]);
    const password = (await made.locator("code").first().textContent()) ?? "";
    await other.page.reload();
    await other.page.getByLabel("Name").fill("bob-the-member");
    await other.page.getByRole("textbox", { name: "Password" }).fill(password);
    await other.page.getByRole("button", { name: "Log in", exact: true }).click();
    await other.page.getByRole("heading", { name: "Choose a password of your own" }).waitFor();
    expect(await other.page.getByRole("textbox").count()).toBe(1);
    // Nothing else is there after a reload either, which does not know what was typed.
    await other.page.reload();
    await other.page.getByRole("textbox", { name: "Current password" }).fill(password);
    expect(await other.page.getByRole("region").count()).toBe(0);
    await other.page.getByRole("textbox", { name: "New password" }).fill("one that only bob knows");
    await other.page.getByRole("button", { name: "Set password" }).click();
    await other.page.getByRole("button", { name: "I have saved it" }).click();
    await other.page.getByRole("heading", { name: "bob-the-member", level: 1 }).waitFor();
    await page.getByRole("button", { name: "I have given it to them" }).click();
    await made.waitFor({ state: "detached" });
    expect(complaints).toEqual([]);
  },
);

browserTest("has a member replace an administrator's password with the one just typed", async () => {
  const { page } = await openAsAdmin("hal-the-admin");
  await page.getByText("Add a member").click();
  await page.getByLabel("Name", { exact: true }).fill("ivy-the-member");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  const made = page.getByRole("status").filter({ hasText: "Give this to ivy-the-member" });
  await made.waitFor();
  const [password = "", given] = await made.locator("code").allTextContents();
  const { page: own } = await stage.open("/account");
  await own.getByLabel("Name").fill("ivy-the-member");
  await own.getByRole("textbox", { name: "Password" }).fill(password);
  await own.getByRole("button", { name: "Log in", exact: true }).click();
  await own.getByRole("textbox", { name: "New password" }).fill(password);
  await own.getByRole("button", { name: "Set password" }).click();
  await own.getByRole("alert").getByText("not the administrator’s password").waitFor();
  await own.getByRole("textbox", { name: "New password" }).fill("one that only ivy knows");
  await own.getByRole("button", { name: "Set password" }).click();
  await own.getByRole("heading", { name: "Keep this recovery code" }).waitFor();
  const code = await own.locator("output").textContent();
  expect(code).toMatch(/^[A-Z2-7]{26}$/);
  expect(code).not.toBe(given);
  await own.getByRole("button", { name: "I have saved it" }).click();
  await own.getByRole("heading", { name: "ivy-the-member", level: 1 }).waitFor();
  await own.reload();
  await own.getByRole("heading", { name: "ivy-the-member", level: 1 }).waitFor();
});

browserTest("adds and deletes a member, and asks for the password some time after the login", async () => {
  const { page } = await openAsAdmin("cleo-the-admin");
  await page.getByText("Add a member").click();
  await page.getByLabel("Name", { exact: true }).fill("dan-the-member");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("Give this to dan-the-member").waitFor();
  await page.getByRole("button", { name: "I have given it to them" }).click();
  stage.clock.ahead += 601_000;
  const row = rowOf(page, "dan-the-member");
  await row.getByText("Manage").click();
  await row.getByText("Delete them too").click();
  const remove = async () => {
    await row.getByRole("button", { name: "Delete the account" }).click();
    await row.getByRole("button", { name: "Yes, delete it permanently" }).click();
  };
  await remove();
  await page.getByText("You logged in more than ten minutes ago").waitFor();
  await page.getByRole("textbox", { name: "Password" }).fill("not this one");
  await remove();
  await page.getByRole("alert").waitFor();
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await remove();
  await row.waitFor({ state: "detached" });
  expect(await page.getByText("You logged in more than ten minutes ago").count()).toBe(0);
});

browserTest("logs out on the page itself", async () => {
  const { page, complaints } = await openAsAdmin("kim-the-admin");
  await page.getByRole("button", { name: "Log out", exact: true }).click();
  await page.getByText("This page is for administrators of this server.").waitFor();
  expect(await page.getByRole("button", { name: "Log out", exact: true }).count()).toBe(0);
  await page.getByRole("main").getByRole("link", { name: "Account" }).click();
  await page.getByText("Create an account").waitFor();
  expect(complaints).toEqual([]);
});

browserTest("tells everybody else whose page it is", async () => {
  const { page, complaints } = await stage.open("/members");
  await page.getByText("This page is for administrators of this server.").waitFor();
  await register(page, "eve-the-member");
  expect(await page.getByRole("link", { name: "Members of this server" }).count()).toBe(0);
  await page.goto(`${stage.url}/members`);
  await page.getByText("This page is for administrators of this server.").waitFor();
  expect(complaints).toEqual([]);
});

browserTest(
  "has nothing for axe to find there, with everything open, in either theme and on a phone",
  async () => {
    const { page } = await openAsAdmin("finn-the-admin");
    await page.setViewportSize({ width: 390, height: 844 });
    await register(await (await stage.open("/account")).page, "gil-the-member");
    await page.reload();
    await rowOf(page, "gil-the-member").getByText("Manage").click();
    await rowOf(page, "gil-the-member").getByText("New password", { exact: true }).click();
    await page.getByText("Add a member").click();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await evaluateApart(page, FIND_FAULTS)).toEqual([]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  },
);

browserTest("shows more of what was looked for, whatever has been typed since", async () => {
  for (let i = 10; i < 31; i++) {
    const client = createClient(stage.url, { headers: { "x-forwarded-for": freshIp() } });
    await client.account.register.mutate({ name: `found-${i}`, password: PASSWORD });
  }
  const { page } = await openAsAdmin("looker");
  await page.getByLabel("Part of the name").fill("found");
  await page.getByRole("button", { name: "Show", exact: true }).click();
  const rows = page.getByRole("region", { name: "Members" }).getByText(/^found-/);
  await expect.poll(() => rows.count()).toBe(20);
  await page.getByLabel("Part of the name").fill("nobody");
  await page.getByRole("button", { name: "Show more" }).click();
  await expect.poll(() => rows.count()).toBe(21);
});

browserTest("shows counters side by side on the smallest phones too", async () => {
  const { page } = await openAsAdmin("ada-on-a-phone");
  await page.setViewportSize({ width: 360, height: 640 });
  const tops = page.getByRole("region", { name: "This server" }).locator("dl > div");
  await tops.first().waitFor();
  const [first, second] = await tops.evaluateAll((all) =>
    all.map((each) => each.getBoundingClientRect().top),
  );
  expect(second).toBe(first);
});
