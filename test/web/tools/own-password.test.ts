// browser
import { afterAll, beforeAll, expect } from "vitest";
import { lockPdf } from "../../../tools/pdf-lock.ts";
import { pagesPdf } from "../../tools/pdf/support/pdf-made.ts";
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

browserTest("says that a result opens without the password that its document needed", async () => {
  const { bytes } = await lockPdf(pagesPdf(2), { password: "its password" });
  const locked = { name: "locked.pdf", mimeType: "application/pdf", buffer: Buffer.from(bytes) };
  for (const [path, action] of [
    ["/pdf-rotate", "Rotate"],
    ["/pdf-clean", "Clean"],
    ["/pdf-merge", /^(Merge|Make|Create)/],
  ] as const) {
    const { page } = await stage.open(path);
    await page.locator("main input[type=file]").setInputFiles(locked);
    await page.getByRole("textbox", { name: /password/i }).fill("its password");
    await page.getByText("2 pages").first().waitFor();
    await page.locator("main form").getByRole("button", { name: action }).first().click();
    const fact = page.getByRole("region", { name: "Result" }).getByText("Password", { exact: true });
    await fact.waitFor();
    expect(await fact.locator("xpath=following-sibling::dd").textContent()).toBe("Removed");
  }
});
