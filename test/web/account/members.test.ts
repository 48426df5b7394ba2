// browser
import type { Locator, Page } from "playwright-core";
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

browserTest("says on an instance for members what others cannot start, before they type", async () => {
  for (const path of ["/", "/ask"]) {
    const { page, requests } = await stage.open(path);
    await page.getByText("This server is for members").waitFor();
    expect(await page.locator("main textarea, main form").count()).toBe(0);
    expect(requests.filter((request) => request.startsWith("POST"))).toEqual([]);
    await press(page.getByRole("main").getByRole("link", { name: "Log in", exact: true }));
    await page.getByRole("heading", { name: "Account" }).waitFor();
  }
  const { page } = await stage.open("/pdf-rotate");
  const buffer = Buffer.from("%PDF-1.7");
  await page
    .locator("main input[type=file]")
    .setInputFiles({ name: "a.pdf", mimeType: "application/pdf", buffer });
  await page.getByText("The server works for members only; here you need no account.").waitFor();
});

browserTest("lets members share there, and everybody open and answer", async () => {
  const { page } = await stage.open("/account");
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill("ada");
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.goto(stage.url);
  await page.getByLabel("Your secret", { exact: true }).fill("for members");
  await page.getByRole("button", { name: "Create link" }).click();
  const link = await page.getByLabel("The link", { exact: true }).innerText();
  const { page: guest } = await stage.open(link.slice(stage.url.length));
  await press(guest.getByRole("button", { name: "Open the secret" }));
  await guest.getByText("for members").waitFor();
  await page.goto(`${stage.url}/ask`);
  await press(page.getByRole("button", { name: "Create request" }));
  const give = await page.getByRole("textbox", { name: "Link to send" }).innerText();
  const { page: asked } = await stage.open(give.slice(stage.url.length));
  await asked.getByLabel("Your answer").fill("from outside");
  expect(await asked.locator("main input[type=file]").count()).toBe(0);
  await press(asked.getByRole("button", { name: "Send the answer" }));
  await asked.getByRole("heading", { name: "Your answer has been sent" }).waitFor();
  await expect(createClient(stage.url).secrets.create.mutate({ content: "no" })).rejects.toThrow();
});

browserTest("logs in over a secret that was typed when the login had ended, and sends it", async () => {
  await createClient(stage.url).account.register.mutate({ name: "eve", password: "a long password" });
  const { page } = await stage.open("/account");
  const enter = async (place: Page | Locator) => {
    await place.getByLabel("Name", { exact: true }).fill("eve");
    await place.getByRole("textbox", { name: "Password" }).fill("a long password");
    await place.getByRole("button", { name: "Log in", exact: true }).click();
  };
  await enter(page);
  await page.getByRole("heading", { name: "eve", level: 1 }).waitFor();
  await page.goto(stage.url);
  await page.getByLabel("Your secret", { exact: true }).fill("typed before");
  await page.context().clearCookies();
  await press(page.getByRole("button", { name: "Create link" }));
  await press(page.getByRole("alert").getByRole("button", { name: "Log in" }));
  await enter(page.getByRole("dialog", { name: "Log in" }));
  await page.getByText("You are logged in again").waitFor();
  expect(await page.getByLabel("Your secret", { exact: true }).inputValue()).toBe("typed before");
  await press(page.getByRole("button", { name: "Create link" }));
  const link = await page.getByLabel("The link", { exact: true }).innerText();
  const { page: guest } = await stage.open(link.slice(stage.url.length));
  await press(guest.getByRole("button", { name: "Open the secret" }));
  await guest.getByText("typed before").waitFor();
});

browserTest("leaves nothing of a member to somebody else who logs in over the page", async () => {
  for (const name of ["first", "second"])
    await createClient(stage.url).account.register.mutate({ name, password: "a long password" });
  const { page } = await stage.open("/account");
  const enter = async (place: Page | Locator, name: string) => {
    await place.getByLabel("Name", { exact: true }).fill(name);
    await place.getByRole("textbox", { name: "Password" }).fill("a long password");
    await place.getByRole("button", { name: "Log in", exact: true }).click();
  };
  await enter(page, "first");
  await page.getByRole("heading", { name: "first", level: 1 }).waitFor();
  await page.getByRole("link", { name: "Share", exact: true }).click();
  const buffer = Buffer.from("of the first");
  await page.getByLabel("Your secret", { exact: true }).fill("typed by the first");
  await page
    .locator("main input[type=file]")
    .setInputFiles({ name: "of-the-first.txt", mimeType: "text/plain", buffer });
  await page.getByText("of-the-first.txt", { exact: true }).waitFor();
  await page.context().clearCookies();
  await press(page.getByRole("button", { name: "Create link" }));
  await press(page.getByRole("alert").getByRole("button", { name: "Log in" }));
  // What is asked from the login on, and what the page showed at that time.
  const asked: { path: string; text: string }[] = [];
  await page.route("**/*", async (route) => {
    const { pathname } = new URL(route.request().url());
    await route.continue();
    if (!pathname.includes("assets")) asked.push({ path: pathname, text: route.request().postData() ?? "" });
  });
  await enter(page.getByRole("dialog", { name: "Log in" }), "second");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.getByLabel("Your secret", { exact: true }).waitFor();
  expect(await page.getByLabel("Your secret", { exact: true }).inputValue()).toBe("");
  expect(await page.getByText("of-the-first.txt").count()).toBe(0);
  expect(asked.slice(0, 2).map(({ path }) => path)).toEqual(["/trpc/account.login", "/"]);
  await page.goBack();
  await page.getByRole("heading", { name: "second", level: 1 }).waitFor();
  expect(await page.getByText("first", { exact: true }).count()).toBe(0);
});

browserTest("takes the page away from who registers over it too, and keeps their recovery code", async () => {
  await createClient(stage.url).account.register.mutate({ name: "typist", password: "a long password" });
  const { page } = await stage.open("/account");
  await page.getByLabel("Name", { exact: true }).fill("typist");
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByRole("heading", { name: "typist", level: 1 }).waitFor();
  await page.goto(stage.url);
  await page.getByLabel("Your secret", { exact: true }).fill("typed before");
  await page.context().clearCookies();
  await press(page.getByRole("button", { name: "Create link" }));
  await press(page.getByRole("alert").getByRole("button", { name: "Log in" }));
  const dialog = page.getByRole("dialog", { name: "Log in" });
  await dialog.getByText("Create an account").click();
  await dialog.getByLabel("Name", { exact: true }).fill("newcomer");
  await dialog.getByRole("textbox", { name: "Password" }).fill("a long password");
  await dialog.getByRole("button", { name: "Create account" }).click();
  await dialog.locator("output").waitFor();
  expect(await page.locator("main textarea").count()).toBe(0);
  await dialog.getByRole("button", { name: "I have saved it" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByLabel("Your secret", { exact: true }).waitFor();
  expect(await page.getByLabel("Your secret", { exact: true }).inputValue()).toBe("");
});

browserTest("keeps what was typed where the page hears late that the login has ended", async () => {
  await createClient(stage.url).account.register.mutate({ name: "zoe", password: "a long password" });
  const { page } = await stage.open("/account");
  await page.getByLabel("Name", { exact: true }).fill("zoe");
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByRole("heading", { name: "zoe", level: 1 }).waitFor();
  for (const [path, field, button] of [
    ["/", "Your secret", "Create link"],
    ["/ask", "What do you need?", "Create request"],
  ] as const) {
    const asked = Promise.withResolvers<void>();
    await page.route(/tools\.catalogue/, async (route) => {
      await asked.promise;
      await route.continue();
    });
    const heard = page.waitForResponse(/tools\.catalogue/);
    await page.goto(stage.url + path);
    await page.getByLabel(field).fill("typed before");
    await page.context().clearCookies();
    asked.resolve();
    await (await heard).finished();
    // What was heard is drawn at the latest with what was refused.
    await press(page.getByRole("button", { name: button }));
    await page.getByRole("alert").getByRole("button", { name: "Log in" }).waitFor();
    expect(await page.getByLabel(field).inputValue()).toBe("typed before");
    await page.unrouteAll();
    await page.evaluate(() => localStorage.setItem("member", "1"));
  }
});

browserTest(
  "sees that another tab has logged out, and sends nothing as nobody before it has said so",
  async () => {
    const elsewhere = createClient(stage.url, { headers: { "x-forwarded-for": freshIp() } });
    await elsewhere.account.register.mutate({ name: "una", password: "a long password" });
    const { page } = await stage.open("/account");
    const enter = async (place: Page | Locator) => {
      await place.getByLabel("Name", { exact: true }).fill("una");
      await place.getByRole("textbox", { name: "Password" }).fill("a long password");
      await place.getByRole("button", { name: "Log in", exact: true }).click();
    };
    await enter(page);
    await page.getByRole("heading", { name: "una", level: 1 }).waitFor();
    const other = await page.context().newPage();
    await other.goto(stage.url);
    await other.getByRole("link", { name: "una" }).waitFor();
    await other.getByLabel("Your secret", { exact: true }).fill("typed before");
    await press(page.getByRole("button", { name: "Log out", exact: true }));
    await other.locator("a.me", { hasText: "Log in" }).waitFor();
    const asked: string[] = [];
    other.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await press(other.getByRole("button", { name: "Create link" }));
    await press(other.getByRole("alert").getByRole("button", { name: "Log in" }));
    expect(asked).not.toContain("/trpc/secrets.create");
    await enter(other.getByRole("dialog", { name: "Log in" }));
    await other.getByText("You are logged in again").waitFor();
    await press(other.getByRole("button", { name: "Create link" }));
    await other.getByLabel("The link", { exact: true }).waitFor();
    // The page that still asks for a login follows the one that was made elsewhere.
    await page.evaluate(() => dispatchEvent(new Event("focus")));
    await page.getByRole("heading", { name: "una", level: 1 }).waitFor();
  },
);

browserTest("knows whose login has ended where it asks for it again", async () => {
  const elsewhere = createClient(stage.url, { headers: { "x-forwarded-for": freshIp() } });
  await elsewhere.account.register.mutate({ name: "ida", password: "a long password" });
  const { page } = await stage.open("/account");
  await page.getByLabel("Name", { exact: true }).fill("ida");
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByRole("heading", { name: "ida", level: 1 }).waitFor();
  await loseSession(page);
  await page.getByLabel("What it is for").fill("script");
  await press(page.getByRole("button", { name: "Create token" }));
  await press(page.getByRole("alert").getByRole("button", { name: "Log in" }));
  const dialog = page.getByRole("dialog", { name: "Log in" });
  expect(await dialog.getByLabel("Name", { exact: true }).inputValue()).toBe("ida");
  await dialog.getByRole("textbox", { name: "Password" }).fill("a long password");
  await dialog.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByText("You are logged in again").waitFor();
});
