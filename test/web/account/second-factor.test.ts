// browser
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { codeAt } from "../../support/totp.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ settings: { REQUIRE_SECOND_FACTOR: "members" } });
});
afterAll(() => stage.close());

const now = () => Math.floor((Date.now() + stage.clock.ahead) / 1000);

/** Registers and sets up an app; answers its key and the recovery code. */
async function registerWithApp(page: Page, name: string) {
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Create account" }).click();
  const recoveryCode = (await page.locator("output").textContent()) ?? "";
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByText("This server asks members for a second factor").waitFor();
  expect(await page.getByRole("heading", { name: "API tokens" }).count()).toBe(0);
  const begin = page.getByRole("button", { name: "Set up an app" });
  await begin.click();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  expect(await page.locator(":focus").innerText()).toBe("Authenticator app");
  await begin.click();
  await page.getByRole("img", { name: "QR code for an authenticator app" }).waitFor();
  const secret = (await page.locator(".copyable code").textContent()) ?? "";
  const code = page.getByLabel("Code", { exact: true });
  expect(await code.getAttribute("inputmode")).toBe("numeric");
  await code.fill(codeAt(secret, now()));
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("heading", { name: "API tokens" }).waitFor();
  return { secret, recoveryCode };
}

browserTest("sets up an authenticator app before anything else, and logs in with its code", async () => {
  const { page, complaints } = await stage.open("/account");
  const { secret } = await registerWithApp(page, "careful");
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
  // A step of the login, and no alarm; who is logged in is not said before it is so.
  expect(await page.getByRole("alert").count()).toBe(0);
  expect(await page.getByRole("textbox", { name: "Password" }).count()).toBe(0);
  expect(await page.locator(".me").innerText()).toBe("Log in");
  await code.fill("000000");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByText("This code is wrong").waitFor();
  // Neither the fields before nor another form have a wrong code.
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  const password = page.getByRole("textbox", { name: "Password" });
  await password.fill("a wrong password");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByText("The name or the password is wrong.").waitFor();
  await page.getByText("Lost password").click();
  await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  await page.getByRole("radio", { name: "Log in" }).check();
  await password.fill("a long password");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await code.fill(codeAt(secret, now()));
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByRole("heading", { name: "careful", level: 1 }).waitFor();
  expect(await page.locator(".me").innerText()).toBe("careful");
  await page.getByText("Two-step login is on.").waitFor();
  await page.getByText("Wrong codes of your authenticator app in the last day: 1.").waitFor();
  // The first step of the login, and the wrong code.
  expect(complaints.filter((text) => !/401|422/.test(text))).toEqual([]);
});

browserTest("asks for password and code some time after the login, and for a code to recover", async () => {
  const { page } = await stage.open("/account");
  const { secret, recoveryCode } = await registerWithApp(page, "waited");
  stage.clock.ahead += 601_000;
  await page.getByText("Change the password", { exact: true }).click();
  const code = page.getByLabel("Code of your authenticator app");
  await page.getByRole("textbox", { name: "Current password" }).fill("a long password");
  await page.getByRole("textbox", { name: "New password" }).fill("another long one");
  await page.getByRole("button", { name: "Change password" }).click();
  await code.fill("000000");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByRole("alert").getByText("This code is wrong").waitFor();
  await code.fill(codeAt(secret, now()));
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("The password has been changed.").waitFor();
  expect(await code.count()).toBe(0);
  stage.clock.ahead += 601_000;
  const passkeys = page.getByRole("region", { name: "Passkeys" });
  await passkeys.getByRole("button", { name: "Add a passkey" }).click();
  // Both at once, where it is known that there is an app.
  await passkeys.getByRole("textbox", { name: "Password" }).waitFor();
  await passkeys.getByLabel("Code of your authenticator app").waitFor();
  await page.getByRole("button", { name: "Log out", exact: true }).first().click();
  await page.getByText("Lost password").click();
  await page.getByLabel("Name").fill("waited");
  await page.getByLabel("Recovery code").fill(recoveryCode);
  await page.getByRole("textbox", { name: "New password" }).fill("a third long one");
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByText("The recovery code cannot replace it.").waitFor();
  await code.fill(codeAt(secret, now()));
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByRole("heading", { name: "waited", level: 1 }).waitFor();
});

browserTest("takes a code of the app where the login had one factor", async () => {
  const { page } = await stage.open("/account");
  const { secret } = await registerWithApp(page, "one-factor");
  await stage.weaken("one-factor");
  stage.clock.ahead += 60_000;
  await page.reload();
  await page.getByText("Enter a code of your authenticator app to go on").waitFor();
  expect(await page.getByRole("heading", { name: "API tokens" }).count()).toBe(0);
  const code = page.getByLabel("Code of your authenticator app");
  await code.fill("000000");
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByText("This code is wrong").waitFor();
  await code.fill(codeAt(secret, now()));
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByRole("heading", { name: "API tokens" }).waitFor();
  expect(await code.count()).toBe(0);
});

browserTest("sends no empty code, and keeps only a recovery code that was wrong", async () => {
  const { page, requests } = await stage.open("/account");
  const { secret } = await registerWithApp(page, "hasty");
  await page.getByRole("button", { name: "Log out", exact: true }).first().click();
  const logIn = page.getByRole("button", { name: "Log in", exact: true });
  await logIn.waitFor();
  await page.getByLabel("Name").fill("hasty");
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await logIn.click();
  const code = page.getByLabel("Code of your authenticator app");
  await code.waitFor();
  const before = requests.length;
  await logIn.click();
  expect(await code.evaluate((field) => field.matches(":invalid:focus"))).toBe(true);
  expect(requests.slice(before)).toEqual([]);
  const wrong = page.getByText("This code is wrong");
  const mistyped = "ABCD EFGH IJKL MNOP QRST UVWX YZ";
  await code.fill(mistyped);
  await code.press("Enter");
  await wrong.waitFor();
  expect(await code.inputValue()).toBe(mistyped);
  // Of an hour ago.
  await code.fill(codeAt(secret, now() - 3600));
  await code.press("Enter");
  await expect.poll(() => code.inputValue()).toBe("");
  await wrong.waitFor();
  // The recovery code has letters.
  expect(await code.getAttribute("inputmode")).toBe(null);
});
