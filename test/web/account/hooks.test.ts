// browser
import { afterAll, beforeAll, expect } from "vitest";
import { HOOK_SETTINGS, HOOK_URL } from "../../support/hook-receiver.ts";
import { browserTest, openStage, type Stage } from "../support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ settings: HOOK_SETTINGS });
});
afterAll(() => stage.close());

browserTest("adds a hook, shares without telling it, changes it, and removes it", async () => {
  const { page, complaints } = await stage.open("/account");
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill("ann");
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  const hooks = page.getByRole("region", { name: "Notices elsewhere" });
  await hooks.getByText(`Allowed: ${HOOK_SETTINGS.NOTIFY_HOSTS}`).waitFor();
  const add = hooks.getByRole("button", { name: "Add" });
  await hooks.getByLabel("Address to call").fill("nowhere");
  await add.click();
  await hooks.getByText("Write the whole address, beginning with https://").waitFor();
  await hooks.getByLabel("Address to call").fill(`${HOOK_URL}/${"x".repeat(2048)}`);
  await add.click();
  await hooks.getByText(/^This text is too long. That is 2,0\d\d; the limit is 2,048.$/).waitFor();
  await hooks.getByLabel("Address to call").fill("https://hooks.slack.com/services/x");
  await add.click();
  await hooks
    .getByText(`This server does not call this host. Allowed: ${HOOK_SETTINGS.NOTIFY_HOSTS}`)
    .waitFor();
  await hooks.getByLabel("Address to call").fill(HOOK_URL.replace("/in", "/"));
  await add.click();
  await hooks.getByText("for ntfy with the topic").waitFor();
  await hooks.getByLabel("Address to call").fill(HOOK_URL);
  await hooks.getByLabel("Kind").selectOption("Signed JSON (Standard Webhooks)");
  const [ofSecrets, ofRequests] = ["About your secrets", "About your requests"].map((name) =>
    hooks.getByRole("group", { name }),
  );
  await ofSecrets?.getByLabel("Deleted", { exact: true }).check();
  await ofRequests?.getByLabel("Expired").uncheck();
  const listed = async () => {
    const { hooks: all } = await page.evaluate(
      async () =>
        (await fetch("/api/users/me/hooks")).json() as Promise<{
          hooks: { form: string; events: string[] }[];
        }>,
    );
    return all.map(({ form, events }) => [form, ...events].join(" "));
  };
  await add.click();
  const key = await hooks.getByLabel("The key that signs the calls").inputValue();
  expect(key).toMatch(/^whsec_/);
  await page.goto(stage.url);
  await page.getByLabel("Your secret", { exact: true }).fill("quiet");
  await page.getByLabel("Send me notices about it").uncheck();
  const sending = page.waitForRequest((request) => request.url().includes("/trpc/secrets.create"));
  await page.getByRole("button", { name: "Create link" }).click();
  expect((await sending).postData()).toContain('"notify":false');
  await page.getByLabel("The link", { exact: true }).waitFor();
  await page.goto(`${stage.url}/account`);
  const usual = "secret.revealed secret.expired secret.locked request.answered";
  const changed = hooks.getByRole("listitem");
  const change = hooks.getByRole("button", { name: `Change ${HOOK_SETTINGS.NOTIFY_HOSTS}` });
  await change.click();
  expect(await listed()).toEqual([
    `standard ${usual.replace("secret.expired", "secret.revoked secret.expired")}`,
  ]);
  expect(
    await changed.getByLabel("Address to call").evaluate((field) => field === document.activeElement),
  ).toBe(true);
  await changed.getByLabel("Kind").selectOption("Slack, Mattermost, Rocket.Chat");
  await changed.getByLabel("Deleted", { exact: true }).uncheck();
  await changed.getByRole("button", { name: "Save" }).click();
  await changed.getByText("Slack").waitFor();
  await changed.getByText("About your secrets: Opened, Expired, Deleted after ten wrong tries").waitFor();
  await changed.getByText("About your requests: Answered", { exact: true }).waitFor();
  expect(await listed()).toEqual([`slack ${usual}`]);
  await change.press("Enter");
  for (const box of await changed.getByRole("checkbox").all()) await box.uncheck();
  expect(await changed.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
  await changed.getByRole("button", { name: "Cancel" }).click();
  expect(await change.evaluate((button) => button === document.activeElement)).toBe(true);
  await hooks.getByRole("button", { name: `Remove ${HOOK_SETTINGS.NOTIFY_HOSTS}` }).click();
  await hooks.getByRole("button", { name: "Yes, remove it" }).click();
  await hooks.getByRole("listitem").waitFor({ state: "detached" });
  // The addresses that were refused.
  expect(complaints.filter((text) => !text.includes("400"))).toEqual([]);
});

browserTest("keeps the key of a hook in sight that nobody has copied when another is added", async () => {
  const { page } = await stage.open("/account");
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill("two-hooks");
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  const hooks = page.getByRole("region", { name: "Notices elsewhere" });
  const keys = hooks.getByLabel("The key that signs the calls");
  for (const made of [1, 2]) {
    await hooks.getByLabel("Address to call").fill(`${HOOK_URL}?${made}`);
    await hooks.getByLabel("Kind").selectOption("Signed JSON (Standard Webhooks)");
    await hooks.getByRole("button", { name: "Add" }).click();
    await expect.poll(() => hooks.getByRole("listitem").count()).toBe(made);
  }
  expect(await keys.count()).toBe(2);
  expect(await keys.nth(0).inputValue()).not.toBe(await keys.nth(1).inputValue());
});

browserTest("writes the address of a hook from left to right in Arabic too", async () => {
  const { page } = await stage.open("/account", { locale: "ar" });
  await page.locator("input[value=register]").check();
  await page.locator("[autocomplete=username]").fill("right-to-left");
  await page.locator("[autocomplete=new-password]").fill("a long password");
  await page.locator("main form button.primary").click();
  await page.locator("output ~ .actions button").last().click();
  const address = page.getByPlaceholder("https://");
  await address.waitFor();
  const direction = await address.evaluate((field) => getComputedStyle(field).direction);
  expect([await page.locator("html").getAttribute("dir"), direction]).toEqual(["rtl", "ltr"]);
});

browserTest(
  "says that a hook was added, tells those of one host apart, and why no more can be added",
  async () => {
    const { page } = await stage.open("/account");
    await page.getByText("Create an account").click();
    await page.getByLabel("Name").fill("three-hooks");
    await page.getByRole("textbox", { name: "Password" }).fill("a long password");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("button", { name: "I have saved it" }).click();
    const hooks = page.getByRole("region", { name: "Notices elsewhere" });
    const host = HOOK_SETTINGS.NOTIFY_HOSTS;
    for (const made of [1, 2, 3]) {
      // With Ctrl+Enter a field still drops what a copy has brought.
      const address = hooks.getByLabel("Address to call");
      await address.fill(` ${HOOK_URL}?${made} `);
      await address.press("Control+Enter");
      await hooks
        .getByRole("status")
        .filter({ hasText: `Added: ${host}` })
        .waitFor();
      await expect.poll(() => hooks.getByRole("listitem").count()).toBe(made);
    }
    await hooks.getByText("You have as many notice addresses as an account can have").waitFor();
    expect(await hooks.getByLabel("Address to call").count()).toBe(0);
    for (const number of [1, 2, 3])
      for (const act of ["Change", "Remove"])
        expect(
          await hooks.getByRole("button", { name: `${act} ${host} (${number})`, exact: true }).count(),
        ).toBe(1);
  },
);
