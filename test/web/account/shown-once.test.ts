// browser
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { createClient } from "../../../client/client.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { browserTest, loseSession, openStage, type Stage } from "../support/browser.ts";
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

browserTest("keeps a token that nobody has copied when another is made", async () => {
  const { page } = await openAs("maker");
  const tokens = page.getByLabel("The new token");
  for (const [made, name] of ["first", "second", "third"].entries()) {
    await page.getByLabel("What it is for").fill(name);
    await press(page.getByRole("button", { name: "Create token" }));
    await expect.poll(() => tokens.count()).toBe(made + 1);
  }
  const values = await Promise.all((await tokens.all()).map((token) => token.inputValue()));
  expect(new Set(values).size).toBe(3);
  const copy = page.getByRole("button", { name: /^(Copy token|Copied)$/ });
  await copy.nth(0).click();
  await page.getByRole("link", { name: "Tools", exact: true }).click();
  const question = page.getByRole("dialog");
  await press(question.getByRole("button", { name: "Stay here" }));
  await copy.nth(1).click();
  await copy.nth(2).click();
  await page.getByRole("link", { name: "Tools", exact: true }).click();
  await page.getByRole("heading", { name: "Tools", level: 1 }).waitFor();
});

browserTest("asks before a logout takes a token out of sight that nobody has copied", async () => {
  const { page } = await openAs("hurried");
  await page.getByLabel("What it is for").fill("script");
  await press(page.getByRole("button", { name: "Create token" }));
  const token = page.getByLabel("The new token");
  await token.waitFor();
  const logout = page.getByRole("button", { name: "Log out", exact: true });
  await press(logout);
  await press(page.getByRole("dialog").getByRole("button", { name: "Stay here" }));
  await page.getByRole("button", { name: "Copy token" }).click();
  await press(logout);
  await page.getByText("Create an account").waitFor();
});

browserTest(
  "shows what is shown once no longer when it has been revoked, or its member deleted",
  async () => {
    const { page } = await openAs("revoker");
    await page.getByLabel("What it is for").fill("mistake");
    await press(page.getByRole("button", { name: "Create token" }));
    await page.getByLabel("The new token").waitFor();
    await press(page.getByRole("button", { name: "Revoke mistake" }));
    await press(page.getByRole("button", { name: "Yes, revoke it" }));
    await page.getByLabel("The new token").waitFor({ state: "detached" });
    await stage.makeAdmin("revoker");
    await page.reload();
    await page.getByRole("link", { name: "Members of this server" }).click();
    await page.getByText("Add a member").click();
    await page.getByLabel("Name", { exact: true }).fill("added-by-mistake");
    await press(page.getByRole("button", { name: "Add", exact: true }));
    const made = page.getByRole("status").filter({ hasText: "Give this to added-by-mistake" });
    await made.waitFor();
    const row = page.getByRole("listitem").filter({ hasText: "added-by-mistake" });
    await row.getByText("Manage").click();
    await press(row.getByRole("button", { name: "Delete" }));
    await press(row.getByRole("button", { name: "Yes, delete" }));
    await made.waitFor({ state: "detached" });
  },
);

browserTest("keeps what is given to a member in sight while an administrator goes on", async () => {
  const { page } = await openAs("keeper");
  await stage.makeAdmin("keeper");
  await page.reload();
  await page.getByRole("link", { name: "Members of this server" }).click();
  await page.getByText("Add a member").click();
  const made = (name: string) => page.getByRole("status").filter({ hasText: `Give this to ${name}` });
  await page.getByRole("listitem").filter({ hasText: "keeper" }).waitFor();
  const field = page.getByLabel("Name", { exact: true });
  const add = page.getByRole("button", { name: "Add", exact: true });
  const listed = page.waitForRequest(/admin\.members/);
  let isTyped: () => void = () => undefined;
  const typed = new Promise<void>((resolve) => (isTyped = resolve));
  await page.route(/admin\.members/, async (route) => {
    await typed;
    await route.continue();
  });
  await field.fill("new-one");
  await press(add);
  await made("new-one").waitFor();
  await listed;
  await field.fill("new-two");
  isTyped();
  // The name that was typed while the list was loaded stays.
  await page.getByRole("listitem").filter({ hasText: "new-one" }).waitFor();
  expect(await field.inputValue()).toBe("new-two");
  await press(add);
  await made("new-two").waitFor();
  await page.getByRole("listitem").filter({ hasText: "new-two" }).waitFor();
  const row = page.getByRole("listitem").filter({ hasText: "new-two" });
  await row.getByText("Manage").click();
  await press(row.getByRole("button", { name: "Disable" }));
  await press(row.getByRole("button", { name: "Yes, disable" }));
  await row.getByText("Disabled").waitFor();
  expect(await made("new-one").locator("code").count()).toBe(2);
  expect(await made("new-two").locator("code").count()).toBe(2);
  await press(made("new-two").getByRole("button", { name: "I have given it to them" }));
  await made("new-two").waitFor({ state: "detached" });
  await made("new-one").waitFor();
});

browserTest(
  "copies a recovery code in the dialog on top where a browser has no clipboard for scripts",
  async () => {
    const { page } = await openAs("typist");
    await page.goto(stage.url);
    await page.evaluate(() => {
      const { clipboard } = navigator;
      Object.assign(globalThis, { readClipboard: () => clipboard.readText() });
      Object.defineProperty(navigator, "clipboard", { value: undefined });
    });
    await page.getByLabel("Your secret", { exact: true }).fill("typed before");
    await page.context().clearCookies();
    await press(page.getByRole("button", { name: "Create link" }));
    await press(page.getByRole("alert").getByRole("button", { name: "Log in" }));
    const dialog = page.getByRole("dialog", { name: "Log in" });
    await dialog.getByText("Create an account").click();
    await dialog.getByLabel("Name", { exact: true }).fill("over-the-page");
    await dialog.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
    await press(dialog.getByRole("button", { name: "Create account" }));
    const code = await dialog.locator("output").textContent();
    const copy = dialog.getByRole("button", { name: /Copy/ });
    await page.evaluate(() => {
      const below = document.createElement("dialog");
      document.body.prepend(below);
      below.show();
    });
    await press(copy);
    await dialog.getByText("Copied").waitFor();
    expect(await page.evaluate("readClipboard()")).toBe(code);
    // Whoever uses a keyboard goes on where they were.
    expect(await copy.or(dialog.getByText("Copied")).first().evaluate(hasFocus)).toBe(true);
  },
);

function hasFocus(element: Element): boolean {
  return element.closest("button") === document.activeElement;
}

browserTest("keeps a recovery code in a dialog however often Escape is pressed", async () => {
  const { page } = await openAs("presser");
  await loseSession(page);
  await page.getByLabel("What it is for").fill("kept");
  await press(page.getByRole("button", { name: "Create token" }));
  await press(page.getByRole("alert").getByRole("button", { name: "Log in" }));
  const dialog = page.getByRole("dialog", { name: "Log in" });
  await dialog.getByText("Create an account", { exact: true }).click();
  await dialog.getByLabel("Name", { exact: true }).fill("presser-too");
  await dialog.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.keyboard.press("Enter");
  const keep = dialog.getByRole("button", { name: "I have saved it" });
  await keep.waitFor();
  for (let presses = 0; presses < 5; presses++) await page.keyboard.press("Escape");
  await press(keep);
  await page.getByRole("heading", { name: "presser-too", level: 1 }).waitFor();
});
