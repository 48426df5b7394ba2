// browser
import { afterAll, beforeAll, expect } from "vitest";
import { browserTest, openStage, type Stage } from "../support/browser.ts";
import { press } from "../support/keyboard.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const PERMISSIONS = ["clipboard-read", "clipboard-write"];

browserTest("asks before the links of those are left whose links were not copied", async () => {
  const { page } = await stage.open("/", { permissions: PERMISSIONS });
  await page.getByLabel("Your secret", { exact: true }).fill("hush");
  await press(page.locator("summary", { hasText: "One link per person" }));
  await page.getByRole("textbox", { name: "One link per person" }).fill("Ada\nGrace\nLinus");
  let calls = 0;
  await page.route(/trpc\/secrets\.create/, (route) => (++calls === 3 ? route.abort() : route.continue()));
  await press(page.getByRole("button", { name: "Create link" }));
  await page.getByText("One link could not be made").waitFor();
  const leave = () => page.getByRole("link", { name: "Tools", exact: true }).click();
  const stay = () => press(page.getByRole("dialog").getByRole("button", { name: "Stay here" }));
  await press(page.getByRole("button", { name: "Copy as a message" }).first());
  await leave();
  await stay();
  await press(page.getByRole("button", { name: "Copy all as a list" }));
  await press(page.getByRole("button", { name: "Try again for the rest" }));
  await expect.poll(() => page.getByRole("textbox", { name: "The link for" }).count()).toBe(3);
  await leave();
  await stay();
  await press(page.getByRole("button", { name: /^(Copy all as a list|Copied)$/ }).last());
  await leave();
  await page.getByRole("heading", { name: "Tools", level: 1 }).waitFor();
});
