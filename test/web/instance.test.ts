// browser
import { afterAll, beforeAll, expect } from "vitest";
import { parseLink } from "../../wire/links/links.ts";
import { browserTest, openStage, type Stage } from "./support/browser.ts";

const SETTINGS = {
  ...{ INSTANCE_NAME: "ACME Secrets", INSTANCE_NOTICE: "Down on <b>Sunday</b>" },
  ...{ IMPRINT_URL: "https://acme.example/imprint", CONTACT: "it@acme.example" },
  ...{ TOOLS: "pdf-merge,password", PASSPHRASE: "required" },
  ...{ SECRET_CHARACTERS: "100", DEFAULT_LIFETIME: "2h", LIFETIME: "7d" },
};

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ settings: SETTINGS });
});
afterAll(() => stage.close());

browserTest("shows whose instance it is, and only the tools that it has", async () => {
  const { page, complaints } = await stage.open("/");
  await page.getByText("Down on <b>Sunday</b>").waitFor();
  await expect.poll(() => page.title()).toBe("Share a secret · ACME Secrets");
  expect(
    await page
      .locator("footer")
      .getByRole("link")
      .evaluateAll((links) => links.map((a) => a.getAttribute("href"))),
  ).toEqual(["https://acme.example/imprint", "mailto:it@acme.example"]);
  await page.goto(`${stage.url}/tools`);
  const tools = page.getByRole("main");
  await tools.getByRole("link", { name: "Merge PDFs" }).waitFor();
  expect(await tools.getByRole("link", { name: "Check a file" }).count()).toBe(0);
  expect(await tools.getByRole("heading", { name: "Files" }).count()).toBe(0);
  await page.goto(`${stage.url}/file-hash`);
  await page.getByRole("heading", { name: "Page not found" }).waitFor();
  expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
});

browserTest("takes what the instance takes: its lifetimes, its lengths, a passphrase", async () => {
  const { page, requests } = await stage.open("/");
  const lifetime = page.getByLabel("If nobody opens it, delete it after");
  // A page does not wait long for what the instance says.
  await expect.poll(() => lifetime.inputValue()).toBe("7200");
  expect(await lifetime.locator("option").allTextContents()).not.toContain("30 days");
  await page.getByLabel("Your secret", { exact: true }).fill("a".repeat(101));
  await page.getByText("Without an account, a secret can have up to 100.").waitFor();
  await page.getByLabel("Your secret", { exact: true }).fill("a".repeat(100));
  await page.getByRole("button", { name: "Create link" }).click();
  // The browser asks for what is missing, and nothing has left.
  expect(await page.evaluate(() => document.activeElement?.matches("input:invalid"))).toBe(true);
  expect(requests.filter((request) => request.startsWith("POST"))).toEqual([]);
  await page.getByRole("textbox", { name: "Passphrase" }).fill("of my own");
  await page.getByRole("button", { name: "Create link" }).click();
  const link = await page.getByLabel("The link", { exact: true }).innerText();
  expect(parseLink(link).is).toBe("complete");
  await page.goto(link);
  await page.getByText("Down on <b>Sunday</b>").waitFor();
});

browserTest("offers the lifetimes that the instance lists, and no other", async () => {
  const settings = { LIFETIMES: "1d,2h,60d" };
  const listed = await openStage({ settings });
  try {
    for (const path of ["/", "/ask"]) {
      const { page } = await listed.open(path);
      const lifetime = page.locator("form select").first();
      await expect.poll(() => lifetime.locator("option").allTextContents()).toEqual(["2 hours", "1 day"]);
      expect(await lifetime.inputValue()).toBe("86400");
    }
  } finally {
    await listed.close();
  }
});

browserTest("follows the instance also where its answer comes after the page is drawn", async () => {
  const { page } = await stage.open("/tools");
  const drawn = Promise.withResolvers<void>();
  await page.route("**/api/instance", async (route) => {
    await drawn.promise;
    await route.continue();
  });
  // The browser may take what it has not been answered for a part of what it loads.
  await page.goto(`${stage.url}/`, { waitUntil: "commit" });
  const lifetime = page.getByLabel("If nobody opens it, delete it after");
  expect(await lifetime.inputValue()).toBe("86400");
  drawn.resolve();
  await page.getByText("Down on <b>Sunday</b>").waitFor();
  expect(await lifetime.inputValue()).toBe("7200");
});
