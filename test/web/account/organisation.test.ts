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

browserTest("logs in with the organisation's account, sets a password, and logs out of both", async () => {
  await provider.logIn({ sub: "u-1", preferred_username: "ann" });
  const { page, complaints } = await stage.open("/account");
  await page.getByRole("link", { name: "Log in with ACME" }).click();
  await page.getByRole("heading", { name: "ann", level: 1 }).waitFor();
  await page.getByText("Set a password").click();
  await page.getByRole("textbox", { name: "New password" }).fill("correct horse");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("The password has been changed.").waitFor();
  await page.getByRole("button", { name: "Log out", exact: true }).first().click();
  const link = page.getByRole("link", { name: "You are still logged in to ACME" });
  expect(await link.getAttribute("href")).toContain(`${provider.issuer}/session/end`);
  expect(complaints).toEqual([]);
});

browserTest("ties an account that is there already", async () => {
  await provider.logIn({ sub: "u-2", preferred_username: "other" });
  const { page } = await stage.open("/account");
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill("by-hand");
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("button", { name: "I have kept it" }).click();
  await page.getByRole("link", { name: "Connect your login of ACME" }).click();
  await page.getByRole("heading", { name: "by-hand", level: 1 }).waitFor();
  expect(await page.getByRole("link", { name: "Connect your login of ACME" }).count()).toBe(0);
});
