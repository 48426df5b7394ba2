// browser
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { createClient } from "../../../client/client.ts";
import { press, tabTo } from "../support/keyboard.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

/** Creates an account; answers its recovery code. */
async function register(page: Page, name: string): Promise<string> {
  await page.goto(`${stage.url}/account`);
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Create account" }).click();
  const code = await page.locator("output").textContent();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByRole("heading", { name }).waitFor();
  return code ?? "";
}

/** Creates a token. */
async function makeToken(page: Page): Promise<string> {
  await page.getByLabel("What it is for").fill("Backup");
  await page.getByRole("button", { name: "Create token" }).click();
  return page.getByLabel("The new token").inputValue();
}

browserTest("registers, shares, sees and revokes, makes a token, and leaves", async () => {
  const { page } = await stage.open("/account");
  const code = await register(page, "ada");

  await page.goto(stage.url);
  await page.getByLabel("Your secret", { exact: true }).fill("a member's");
  await page.getByRole("button", { name: "Create link" }).click();
  await page.getByLabel("The link", { exact: true }).waitFor();
  await page.goto(`${stage.url}/account`);
  await page.getByText("Not opened yet").waitFor();
  await page.getByRole("region", { name: "Your secrets" }).getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Yes, delete it" }).click();
  await page.getByText("Deleted").waitFor();

  const token = await makeToken(page);
  const { secrets: mine, requests } = createClient(stage.url, { token });
  const { secrets } = await mine.list.query({});
  await requests.create.mutate({ gate: "g".repeat(43) });
  expect(secrets.map(({ status }) => status)).toEqual(["revoked"]);
  await page.reload();
  const asked = page.getByRole("region", { name: "Your requests" });
  await asked.getByText("Waiting for an answer").waitFor();
  await asked.getByRole("button", { name: /^Cancel/ }).click();
  await asked.getByRole("button", { name: "Yes, cancel it" }).click();
  await asked.getByText("Cancelled").waitFor();
  const gate = "h".repeat(43);
  const { id } = await requests.create.mutate({ gate, answers: 3 });
  await requests.answer.mutate({ id, gate, content: `r1.${"A".repeat(400)}` });
  await page.reload();
  await asked.getByRole("button", { name: `Take no more answers: ${id}` }).click();
  await asked.getByRole("button", { name: "Yes, take no more" }).click();
  await asked.getByText("Takes no more").waitFor();
  const { requests: own } = await requests.list.query({});
  // Both may be of the same second.
  expect(own.map(({ status }) => status).toSorted()).toEqual(["answered", "cancelled"]);
  await page.getByRole("button", { name: "Revoke Backup" }).click();
  await page.getByRole("button", { name: "Yes, revoke it" }).click();
  await page.getByText("Backup", { exact: true }).waitFor({ state: "detached" });
  await expect(createClient(stage.url, { token }).secrets.list.query({})).rejects.toThrow();

  await page.getByRole("button", { name: "Log out" }).click();
  await page.getByText("Lost password").click();
  await page.getByLabel("Name").fill("ada");
  await page.getByLabel("Recovery code").fill(code);
  await page.getByRole("textbox", { name: "New password" }).fill("another long one");
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByText("Delete the account", { exact: true }).click();
  await page.getByRole("textbox", { name: "Your password" }).fill("another long one");
  await page.getByRole("button", { name: "Delete the account permanently" }).click();
  await page.getByRole("button", { name: "Log in", exact: true }).first().waitFor();
});

browserTest("registers once where the answer was lost, and shows the recovery code", async () => {
  const { page } = await stage.open("/account");
  let tries = 0;
  await page.route("**/trpc/account.register*", async (route) => {
    if (tries++ > 0) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill("lost-and-found");
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("alert").waitFor();
  await page.getByRole("button", { name: "Create account" }).click();
  expect(await page.locator("output").textContent()).toMatch(/^[A-Z2-7-]{26,}$/);
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByRole("heading", { name: "lost-and-found" }).waitFor();
  expect(tries).toBe(2);
});

browserTest(
  "shows nothing of a member whose login has ended in another tab, but what only it has",
  async () => {
    const { page } = await stage.open("/account");
    await register(page, "two-tabs");
    const heading = page.getByRole("heading", { name: "two-tabs", level: 1 });
    await page.getByLabel("What it is for").fill("deploy");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByLabel("The new token").waitFor();
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole("button", { name: "Log out" }).click();
    await other.getByRole("button", { name: "Log in", exact: true }).first().waitFor();
    await page.getByRole("link", { name: "Log in", exact: true }).waitFor();
    expect(await heading.isVisible()).toBe(true);
    await page
      .getByRole("region", { name: "API tokens" })
      .getByRole("button", { name: "Copy" })
      .first()
      .click();
    await page.getByRole("button", { name: "Log in", exact: true }).first().waitFor();
    expect(await heading.count()).toBe(0);
  },
);

browserTest("shows nothing of a member whose login has ended before the page comes back", async () => {
  const { page } = await stage.open("/account");
  await register(page, "comes-back");
  await page.context().clearCookies();
  await page.evaluate(() => {
    // As another tab has left them while this page was in the browser's cache.
    for (const key of ["member", "member-name"]) localStorage.removeItem(key);
    dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  });
  // A list that was still loading may show its own such button before the page does.
  await page.getByRole("button", { name: "Log in", exact: true }).first().waitFor();
  await expect.poll(() => page.getByText("comes-back").count()).toBe(0);
});

browserTest("asks for the password for a token that never expires, some time after the login", async () => {
  const { page } = await stage.open("/account");
  await register(page, "tim");
  const tokens = page.getByRole("region", { name: "API tokens" });
  const make = () => tokens.getByRole("button", { name: "Create token" }).click();
  stage.clock.ahead += 601_000;
  await tokens.getByLabel("What it is for").fill("For ever");
  await tokens.getByLabel("Expires after").selectOption("never");
  await make();
  await tokens.getByText("You logged in more than ten minutes ago").waitFor();
  // One with an end needs no proof.
  await tokens.getByLabel("Expires after").selectOption({ index: 0 });
  expect(await tokens.getByRole("textbox", { name: "Password" }).count()).toBe(0);
  await tokens.getByLabel("Expires after").selectOption("never");
  await make();
  await tokens.getByRole("textbox", { name: "Password" }).fill("not this one");
  await make();
  await tokens.getByRole("alert").waitFor();
  await tokens.getByRole("textbox", { name: "Password" }).fill("a long password");
  await make();
  const token = await tokens.getByLabel("The new token").inputValue();
  expect((await createClient(stage.url, { token }).tokens.current.query({})).expiry).toBeNull();
  // The proof has given the session another cookie, which the browser has kept.
  stage.clock.ahead += 60_000;
  await page.reload();
  await page.getByRole("heading", { name: "tim", level: 1 }).waitFor();
  stage.clock.ahead = 0;
});

browserTest("calls fields what their form calls them, and asks for a name that is blank", async () => {
  const { page } = await stage.open("/account");
  await register(page, "blank");
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  const name = page.getByLabel("What it is for");
  await name.fill("  ");
  await name.press("Enter");
  expect(await name.evaluate((field: HTMLInputElement) => field.validity.valueMissing)).toBe(true);
  await page.getByText("Change the password", { exact: true }).click();
  await page.getByRole("textbox", { name: "New password" }).fill("another long one");
  await page.getByRole("button", { name: "Change password" }).click();
  await page.getByText("Please fill in “Current password”.").waitFor();
  expect(requests.filter((url) => url.includes("tokens.create"))).toEqual([]);
});

browserTest("revokes all tokens with a new password when asked to, by keyboard alone", async () => {
  const { page } = await stage.open("/account");
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill("grace");
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  const token = await makeToken(page);
  await press(page.getByText("Change the password"));
  await tabTo(page.getByRole("textbox", { name: "Current password" }));
  await page.keyboard.type("a long password");
  await tabTo(page.getByRole("textbox", { name: "New password" }));
  await page.keyboard.type("another long one");
  await tabTo(page.getByLabel("Also revoke all API tokens"));
  await page.keyboard.press("Space");
  await press(page.getByRole("button", { name: "Change password" }));
  await page.getByText("The password has been changed.").waitFor();
  await expect(createClient(stage.url, { token }).secrets.list.query({})).rejects.toThrow();
});

browserTest("says what a recovery ends and has ended, and tells the owner of it for a week", async () => {
  const { page } = await stage.open("/account");
  const code = await register(page, "olga");
  const token = await makeToken(page);
  await page.context().clearCookies();
  await page.reload();
  const recover = async (given: string) => {
    await page.getByText("Lost password").click();
    await page.getByLabel("Name").fill("olga");
    await page.getByLabel("Recovery code").fill(given);
    await page.getByRole("textbox", { name: "New password" }).fill("another long one");
  };
  await recover(code);
  const ways = page.getByRole("group", { name: "All of these end" });
  expect(await ways.getByRole("checkbox", { checked: true }).count()).toBe(0);
  await ways.getByLabel("API tokens").check();
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByText("This has ended").waitFor();
  const ended = () => page.locator("main dl > div").allTextContents();
  expect(await ended()).toEqual(["Logins in browsers1", "API tokenskept", "Passkeys0"]);
  const next = (await page.locator("output").textContent()) ?? "";
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByText("The recovery code set a new password").waitFor();
  expect((await createClient(stage.url, { token }).secrets.list.query({})).secrets).toEqual([]);
  await page.getByRole("button", { name: "Log out", exact: true }).click();
  stage.clock.ahead -= 8 * 86_400_000;
  await recover(next);
  await page.getByRole("button", { name: "Set password" }).click();
  await page.getByText("This has ended").waitFor();
  expect(await ended()).toEqual(["Logins in browsers0", "API tokens1", "Passkeys0"]);
  await page.getByRole("button", { name: "I have saved it" }).click();
  stage.clock.ahead += 8 * 86_400_000;
  // Nobody has used this session for a week.
  await page.reload();
  await page.getByLabel("Name").fill("olga");
  await page.getByRole("textbox", { name: "Password" }).fill("another long one");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByRole("heading", { name: "API tokens" }).waitFor();
  expect(await page.getByText("The recovery code set a new password").count()).toBe(0);
});

browserTest("labels what a member shares and asks for, readable in this browser alone", async () => {
  const { page, complaints } = await stage.open("/");
  await page.getByLabel("Your secret", { exact: true }).waitFor();
  expect(await page.getByLabel("Label (optional)").count()).toBe(0);
  await register(page, "lea");
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
  const share = async (label: string) => {
    await tabTo(page.getByLabel("Label (optional)"));
    await page.keyboard.insertText(label);
    await press(page.getByRole("button", { name: "Create link" }));
    await page.getByLabel("The link", { exact: true }).waitFor();
  };
  await page.goto(stage.url);
  await page.getByLabel("Your secret", { exact: true }).fill("a text");
  await share("Wi-Fi für Gäste 🔑");
  await press(page.getByRole("button", { name: "Share another" }));
  await press(page.getByRole("button", { name: "Leave" }));
  const buffer = Buffer.from("a file");
  await page
    .locator("main input[type=file]")
    .setInputFiles({ name: "a.txt", mimeType: "text/plain", buffer });
  expect(await page.getByLabel("Label (optional)").inputValue()).toBe("");
  await share("x".repeat(70));
  await page.goto(`${stage.url}/ask`);
  await page.getByLabel("Label (optional)").fill("from the landlord");
  await press(page.getByRole("button", { name: "Create request" }));
  await page.getByRole("textbox", { name: "Link to keep" }).waitFor();
  // Names of scripts may end with l1.js.
  expect(sent.filter((request) => /l1\.[\w-]{20}/.test(request))).toHaveLength(3);
  for (const label of ["Wi-Fi", "xxx", "landlord"]) expect(sent.join("\n")).not.toContain(label);

  await page.goto(`${stage.url}/account`);
  const secrets = page.getByRole("region", { name: "Your secrets" });
  await secrets.getByText("Wi-Fi für Gäste 🔑", { exact: true }).waitFor();
  await secrets.getByText("x".repeat(64), { exact: true }).waitFor();
  const requests = page.getByRole("region", { name: "Your requests" });
  await requests.getByText("from the landlord", { exact: true }).waitFor();
  await press(requests.getByRole("button", { name: "Cancel from the landlord" }));
  await page.evaluate(() => localStorage.removeItem("label-secret"));
  await page.reload();
  await requests.getByText("Waiting for an answer").waitFor();
  expect(await page.getByText("landlord").count()).toBe(0);
  expect(complaints).toEqual([]);
});

browserTest("says the rule of a field once, at the field, and again there when it was not kept", async () => {
  const { page } = await stage.open("/account");
  await page.getByText("Create an account").click();
  const [name, password] = [page.getByLabel("Name"), page.getByRole("textbox", { name: "Password" })];
  const main = page.locator("main");
  for (const [given, field, rule] of [
    [["A", "a long password"], name, /3 to 32 lower-case letters/],
    [["rules", "short"], password, /At least 10 characters/],
    [["rules", "x".repeat(257)], password, /This text is too long. That is 257; the limit is 256./],
  ] as const) {
    await name.fill(given[0]);
    await password.fill(given[1]);
    await page.getByRole("button", { name: "Create account" }).click();
    await main.getByRole("alert").getByText(rule).waitFor();
    expect(await main.getByText(rule).count()).toBe(1);
    expect(await main.getByRole("alert").count()).toBe(1);
    expect(await field.getAttribute("aria-invalid")).toBe("true");
  }
});

browserTest("says in the words of the pages that a password is wrong", async () => {
  const { page } = await stage.open("/account");
  await page.getByLabel("Name").fill("nobody");
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  expect(await page.getByRole("alert").textContent()).toBe("The name or the password is wrong.");
});

browserTest("draws the reference from the document, with every operation once", async () => {
  const { page, complaints } = await stage.open("/docs");
  await page.getByText("/api/tools/pdf-rotate").first().click();
  await page.getByText("Degrees clockwise", { exact: true }).waitFor();
  const response = await fetch(`${stage.url}/api/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, object> };
  // An envelope is the same call at a path of its own.
  const shown = Object.entries(paths).filter(([path]) => !path.endsWith("/envelope"));
  const operations = shown.flatMap(([, item]) => Object.keys(item));
  expect(await page.locator(".operation").count()).toBe(operations.length);
  expect(complaints).toEqual([]);
});
