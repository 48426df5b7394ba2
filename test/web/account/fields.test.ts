// browser
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { HOOK_SETTINGS } from "../../support/hook-receiver.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ settings: HOOK_SETTINGS });
});
afterAll(() => stage.close());

const PASSWORD = "a long password";

/** Creates an account by what is typed as its name; answers its recovery code. */
async function register(page: Page, typed: string): Promise<string> {
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill(typed);
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Create account" }).click();
  const code = await page.locator("output").textContent();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByRole("heading", { name: typed.trim(), level: 1 }).waitFor();
  return code ?? "";
}

browserTest("takes names with the blanks that a copy has brought", async () => {
  const { page } = await stage.open("/account");
  const recoveryCode = await register(page, " pasted ");
  await stage.makeAdmin("pasted");
  const leave = async () => {
    await page.getByRole("button", { name: "Log out", exact: true }).first().click();
    await page.getByRole("button", { name: "Log in", exact: true }).waitFor();
  };
  await leave();
  await page.getByLabel("Name").fill("pasted ");
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByRole("heading", { name: "pasted", level: 1 }).waitFor();
  await leave();
  await page.getByText("Lost password").click();
  await page.getByLabel("Name").fill("\tpasted");
  await page.getByLabel("Recovery code").fill(` ${recoveryCode} `);
  await page.getByRole("textbox", { name: "New password" }).fill("another long one");
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByRole("link", { name: "Members of this server" }).click();
  const members = page.getByRole("region", { name: "Members" });
  await members.getByText("Add a member", { exact: true }).click();
  await members.getByLabel("Name", { exact: true }).fill(" colleague ");
  await members.getByLabel("Name", { exact: true }).press("Enter");
  await members.getByText("Give this to colleague").waitFor();
  await page.goto(`${stage.url}/account`);
  await leave();
  await page.getByRole("textbox", { name: "Password" }).fill("another long one");
  await page.getByLabel("Name").fill(" pasted ");
  await page.getByLabel("Name").press("Control+Enter");
  await page.getByRole("heading", { name: "pasted", level: 1 }).waitFor();
});

browserTest("tells password managers whose password is changed", async () => {
  const { page } = await stage.open("/account");
  await register(page, "managed");
  await stage.makeAdmin("managed");
  const settings = page.getByRole("region", { name: "Settings" });
  await settings.getByText("Change the password", { exact: true }).click();
  const namesIn = (form: string) =>
    page.locator(`${form} [autocomplete=username]`).evaluateAll((fields) => {
      return fields.map((field) => [(field as HTMLInputElement).value, field.checkVisibility()]);
    });
  expect(await namesIn("[aria-labelledby=settings] form:has([autocomplete=new-password])")).toEqual([
    ["managed", false],
  ]);
  await page.reload();
  await page.getByRole("link", { name: "Members of this server" }).click();
  const members = page.getByRole("region", { name: "Members" });
  await members.getByText("Add a member", { exact: true }).click();
  const added = members.getByLabel("Name", { exact: true });
  // Nothing is cut off what was pasted: it would be another name.
  await added.fill("n".repeat(33));
  await added.press("Enter");
  await members.getByRole("alert").getByText("3 to 32 lower-case letters").waitFor();
  await added.fill("given");
  await added.press("Enter");
  const password = await members.locator(".copyable code").first().innerText();
  const { page: other } = await stage.open("/account");
  await other.getByLabel("Name").fill("given");
  await other.getByRole("textbox", { name: "Password" }).fill(password);
  await other.getByRole("button", { name: "Log in", exact: true }).click();
  await other.getByText("Choose a password of your own").waitFor();
  expect(await other.locator("main [autocomplete=username]").inputValue()).toBe("given");
  expect(await other.locator(".me").innerText()).toBe("given");
});
