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

/** Creates an account; answers its recovery code. */
async function register(page: Page, name: string): Promise<string> {
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Create account" }).click();
  const code = await page.locator("output").textContent();
  await page.getByRole("button", { name: "I have saved it" }).click();
  return code ?? "";
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

browserTest(
  "asks for the password some time after the login, and for the passkey where it is the second factor",
  async () => {
    const { page } = await stage.open("/account");
    await addAuthenticator(page);
    await register(page, "waited");
    stage.clock.ahead += 11 * 60_000;
    const passkeys = page.getByRole("region", { name: "Passkeys" });
    await passkeys.getByLabel("Name").fill("   ");
    await passkeys.getByRole("button", { name: "Add a passkey" }).click();
    await passkeys.getByRole("textbox", { name: "Password" }).fill("a long password");
    await passkeys.getByRole("button", { name: "Add a passkey" }).click();
    await passkeys.getByText("This device", { exact: true }).waitFor();
    const remove = async () => {
      await passkeys.getByRole("button", { name: "Delete the passkey This device" }).click();
      await passkeys.getByRole("button", { name: "Yes, delete it" }).click();
    };
    // Of the two factors that the member has proved the server can ask only one, so it asks for a login.
    stage.clock.ahead += 11 * 60_000;
    await remove();
    const row = passkeys.getByRole("listitem");
    await row.getByText("Log in again to do this.").waitFor();
    await row.getByRole("button", { name: "Log in with a passkey" }).click();
    await row.getByText("You are logged in again.").waitFor();
    await remove();
    await passkeys.getByText("This device", { exact: true }).waitFor({ state: "detached" });
  },
);

browserTest("says from when on a second factor can be set up, where a recovery has ended one", async () => {
  const { page } = await stage.open("/account");
  await addAuthenticator(page);
  const code = await register(page, "recovered");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByRole("heading", { name: "API tokens" }).waitFor();
  await page.getByRole("button", { name: "Log out", exact: true }).first().click();
  await page.getByText("Lost password").click();
  await page.getByLabel("Name").fill("recovered");
  await page.getByLabel("Recovery code").fill(code);
  await page.getByRole("textbox", { name: "New password" }).fill("another long one");
  await page.getByRole("button", { name: "Set password" }).click();
  await page.locator("dl > div").getByText("Passkeys").waitFor();
  expect(await page.locator("dl > div").allTextContents()).toContain("Passkeys1");
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByText("a second factor can be set up from").waitFor();
  await page.getByRole("button", { name: "Set up an app" }).click();
  await page.getByRole("alert").getByText("This account was recovered a short time ago.").waitFor();
});
