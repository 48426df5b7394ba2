// browser
import { afterAll, beforeAll, expect } from "vitest";
import { browserTest, openStage, type Stage } from "../support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

browserTest("says how strong a password is that was typed, without sending it", async () => {
  const { page, requests, complaints } = await stage.open("/password");
  await page.getByText("How strong is a password of yours?").click();
  const field = page.getByRole("textbox", { name: "Your password" });
  const said = page.locator("details[open] [aria-live]");
  await field.fill("hunter2");
  await said.getByText("Weak").waitFor();
  expect(await said.textContent()).toContain("less than a second");
  await field.fill("vlt9 Qo#2 mWzz 81&k hR");
  await said.getByText("Strong", { exact: true }).or(said.getByText("Very strong")).waitFor();
  expect(await said.textContent()).toContain("more than a century");
  await field.fill("");
  await said.getByText("guesses").first().waitFor({ state: "detached" });
  const sent = requests.filter((request) => !/^GET \/(assets\/)?[\w.-]{0,60}$/.test(request));
  expect(sent).toEqual([]);
  expect(requests.join()).not.toContain("hunter2");
  expect(complaints).toEqual([]);
});
