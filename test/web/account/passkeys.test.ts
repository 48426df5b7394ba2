// browser
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { addAuthenticator } from "../support/authenticator.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ settings: { REQUIRE_SECOND_FACTOR: "members" } });
});
afterAll(() => stage.close());

async function register(page: Page, name: string): Promise<void> {
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("button", { name: "I have kept it" }).click();
}

browserTest("adds a passkey, logs in with it without a name, and deletes it", async () => {
  const { page, complaints } = await stage.open("/account");
  await addAuthenticator(page);
  await register(page, "keyholder");
  const passkeys = page.getByRole("region", { name: "Passkeys" });
  await passkeys.getByLabel("Name").fill("Laptop");
  await passkeys.getByRole("button", { name: "Add a passkey" }).click();
  await passkeys.getByText("Laptop", { exact: true }).waitFor();
  await passkeys.getByText("Never used").waitFor();
  // It is a second factor, too.
  await page.getByRole("heading", { name: "API tokens" }).waitFor();
  await passkeys.getByRole("button", { name: "Add a passkey" }).click();
  await passkeys.getByText("The browser made no passkey.").waitFor();
  await page.getByRole("button", { name: "Log out", exact: true }).first().click();
  await page.getByRole("button", { name: "Log in with a passkey" }).click();
  await page.getByRole("heading", { name: "keyholder", level: 1 }).waitFor();
  await page.getByRole("heading", { name: "API tokens" }).waitFor();
  await passkeys.getByText(/^Last used/).waitFor();
  await passkeys.getByRole("button", { name: "Delete the passkey Laptop" }).click();
  await passkeys.getByRole("button", { name: "Yes, delete it" }).click();
  await passkeys.getByText("Laptop", { exact: true }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Log out", exact: true }).first().click();
  await page.getByRole("button", { name: "Log in with a passkey" }).click();
  await page.getByText("This passkey does not open an account here.").waitFor();
  expect(complaints.filter((text) => !text.includes("422"))).toEqual([]);
});

browserTest("asks for the password some time after the login", async () => {
  const { page } = await stage.open("/account");
  await addAuthenticator(page);
  await register(page, "waited");
  stage.clock.ahead += 11 * 60_000;
  const passkeys = page.getByRole("region", { name: "Passkeys" });
  await passkeys.getByRole("button", { name: "Add a passkey" }).click();
  await passkeys.getByRole("textbox", { name: "Password" }).fill("a long password");
  await passkeys.getByRole("button", { name: "Add a passkey" }).click();
  await passkeys.getByText("This device", { exact: true }).waitFor();
  const remove = async () => {
    await passkeys.getByRole("button", { name: "Delete the passkey This device" }).click();
    await passkeys.getByRole("button", { name: "Yes, delete it" }).click();
  };
  await remove();
  await passkeys.getByRole("listitem").getByRole("textbox", { name: "Password" }).fill("a long password");
  await remove();
  await passkeys.getByText("This device", { exact: true }).waitFor({ state: "detached" });
});
