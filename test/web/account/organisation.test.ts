// browser
import { afterAll, beforeAll, expect } from "vitest";
import { browserTest, openStage, type Stage } from "../support/browser.ts";
import { onFreePort } from "../support/on-free-port.ts";
import { CLIENT, startProvider, type TestProvider } from "../../support/oidc/start.ts";

let stage: Stage;
let provider: TestProvider;
// Each has to know where the other one is: the provider where a login leads back to, the server its issuer.
beforeAll(() =>
  onFreePort(async (port) => {
    const started = await startProvider(`http://localhost:${port}/api/account/oidc/callback`);
    const settings = { OIDC_ISSUER: started.issuer, OIDC_NAME: "ACME", ...CLIENT };
    stage = await openStage({ port, settings }).catch(async (error: unknown) => {
      await started.stop();
      throw error;
    });
    provider = started;
  }),
);
afterAll(async () => {
  await stage.close();
  await provider.stop();
});

browserTest("logs in with the organization's account, sets a password, and logs out of both", async () => {
  await provider.logIn({ sub: "u-1", preferred_username: "ann" });
  const { page, complaints } = await stage.open("/account");
  await page.getByRole("link", { name: "Log in with ACME" }).click();
  await page.getByRole("heading", { name: "ann", level: 1 }).waitFor();
  await page.getByText("Set a password").click();
  await page.getByRole("textbox", { name: "New password" }).fill("correct horse");
  await page.getByRole("button", { name: "Change password" }).click();
  // The first password comes with a recovery code.
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByRole("heading", { name: "ann", level: 1 }).waitFor();
  await page.getByText("Change the password").waitFor();
  await page.getByRole("button", { name: "Log out", exact: true }).first().click();
  const link = page.getByRole("link", { name: "You are still logged in to ACME" });
  expect(await link.getAttribute("href")).toContain(`${provider.issuer}/session/end`);
  expect(complaints).toEqual([]);
});

browserTest(
  "ties an account that is there already after a yes, lists it, and takes it off again",
  async () => {
    await provider.logIn({ sub: "u-2", preferred_username: "other" });
    const { page } = await stage.open("/account");
    await page.getByText("Create an account").click();
    await page.getByLabel("Name").fill("by-hand");
    await page.getByRole("textbox", { name: "Password" }).fill("a long password");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("button", { name: "I have saved it" }).click();
    const region = page.getByRole("region", { name: "Login of ACME" });
    await region.getByRole("button", { name: "Connect your login of ACME" }).click();
    await page.getByText("other", { exact: true }).waitFor();
    await page.getByRole("button").click();
    await page.getByRole("heading", { name: "by-hand", level: 1 }).waitFor();
    await region.getByText("other", { exact: true }).waitFor();
    await region.getByRole("button", { name: "Disconnect other" }).click();
    await region.getByRole("button", { name: "Yes, disconnect it" }).click();
    await region.getByText("other", { exact: true }).waitFor({ state: "detached" });
  },
);

browserTest("keeps the last way in, and has a member without a password log in again", async () => {
  await provider.logIn({ sub: "u-3", preferred_username: "cleo" });
  const { page } = await stage.open("/account");
  await page.getByRole("link", { name: "Log in with ACME" }).click();
  await page.getByRole("heading", { name: "cleo", level: 1 }).waitFor();
  const region = page.getByRole("region", { name: "Login of ACME" });
  const disconnect = async () => {
    await region.getByRole("button", { name: "Disconnect cleo" }).click();
    await region.getByRole("button", { name: "Yes, disconnect it" }).click();
  };
  await disconnect();
  await region.getByText("Nothing else opens this account.").waitFor();
  stage.clock.ahead += 601_000;
  await disconnect();
  await region.getByText("Log in again to do this.").waitFor();
  await provider.logIn({ sub: "u-3", preferred_username: "cleo" });
  const link = region.getByRole("link", { name: "Log in with ACME" });
  expect(await link.getAttribute("href")).toBe("/api/account/oidc?fresh&next=/account");
  stage.clock.ahead = 0;
  await link.click();
  await page.getByRole("heading", { name: "cleo", level: 1 }).waitFor();
  await disconnect();
  await region.getByText("Nothing else opens this account.").waitFor();
});
