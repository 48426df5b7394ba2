// browser
import { afterAll, beforeAll, expect } from "vitest";
import { codeAt } from "../../support/totp.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ settings: { REQUIRE_SECOND_FACTOR: "members" } });
});
afterAll(() => stage.close());

browserTest("sets up an authenticator app before anything else, and logs in with its code", async () => {
  const { page, complaints } = await stage.open("/account");
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill("careful");
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("button", { name: "I have kept it" }).click();
  await page.getByText("This instance asks members for a second factor").waitFor();
  expect(await page.getByRole("heading", { name: "API tokens" }).count()).toBe(0);
  await page.getByRole("button", { name: "Set up an app" }).click();
  await page.getByRole("img", { name: "QR code for an authenticator app" }).waitFor();
  const secret = (await page.locator(".copyable code").textContent()) ?? "";
  const now = () => Math.floor((Date.now() + stage.clock.ahead) / 1000);
  await page.getByLabel("Code", { exact: true }).fill(codeAt(secret, now()));
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("heading", { name: "API tokens" }).waitFor();
  await page.getByRole("button", { name: "Log out", exact: true }).first().click();
  stage.clock.ahead += 60_000;
  // Until then the account is there, which has a field of this name too.
  await page.getByRole("button", { name: "Log in", exact: true }).waitFor();
  await page.getByLabel("Name").fill("careful");
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  const code = page.getByLabel("Code of your authenticator app");
  await code.waitFor();
  expect(await code.evaluate((input) => document.activeElement === input)).toBe(true);
  await code.fill(codeAt(secret, now()));
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByRole("heading", { name: "careful", level: 1 }).waitFor();
  await page.getByText("A login asks for a code of your app.").waitFor();
  // The first step of the login.
  expect(complaints.filter((text) => !text.includes("401"))).toEqual([]);
});
