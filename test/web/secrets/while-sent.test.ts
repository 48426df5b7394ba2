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

browserTest("keeps the focus where the rest of many links is made, cancelled and made again", async () => {
  const { page } = await stage.open("/");
  await page.getByLabel("Your secret", { exact: true }).fill("hush");
  await press(page.locator("summary", { hasText: "One link per person" }));
  await page.getByRole("textbox", { name: "One link per person" }).fill("Ada\nGrace\nLinus");
  let calls = 0;
  const answer = Promise.withResolvers<void>();
  await page.route(/trpc\/secrets\.create/, async (route) => {
    if (++calls > 3) await answer.promise;
    await (calls === 3 ? route.abort() : route.continue());
  });
  await press(page.getByRole("button", { name: "Create link" }));
  const again = page.getByRole("button", { name: "Try again for the rest" });
  await press(again);
  const cancel = page.getByRole("button", { name: "Cancel", exact: true });
  await cancel.and(page.locator(":focus")).press("Enter");
  await again.and(page.locator(":focus")).press("Enter");
  await cancel.and(page.locator(":focus")).waitFor();
  answer.resolve();
  await expect.poll(() => page.getByRole("textbox", { name: "The link for" }).count()).toBe(3);
});

browserTest(
  "takes no change of a text while it is being sent, and takes them again after a failure",
  async () => {
    const { page } = await stage.open("/");
    const field = page.getByLabel("Your secret", { exact: true });
    const answer = Promise.withResolvers<void>();
    await page.route("**/trpc/secrets.create*", async (route) => {
      await answer.promise;
      await route.abort();
    });
    await field.fill("the old password");
    const asked = page.waitForRequest("**/trpc/secrets.create*");
    await field.press("Control+Enter");
    await asked;
    await field.press("End");
    await page.keyboard.type(" is not this");
    expect(await field.inputValue()).toBe("the old password");
    answer.resolve();
    await page.getByText("Nothing was stored").or(page.getByRole("alert")).first().waitFor();
    await page.unrouteAll();
    await field.press("End");
    await page.keyboard.type(" is not this");
    expect(await field.inputValue()).toBe("the old password is not this");
  },
);

browserTest("removes no file that is being sent, and keeps one that comes meanwhile for later", async () => {
  const { page } = await stage.open("/");
  const answer = Promise.withResolvers<void>();
  await page.route("**/api/secrets/file*", async (route) => {
    await answer.promise;
    await route.continue();
  });
  const input = page.locator("main input[type=file]");
  const fileOf = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(name) });
  await input.setInputFiles([fileOf("one.txt"), fileOf("two.txt")]);
  const asked = page.waitForRequest("**/api/secrets/file*");
  await press(page.getByRole("button", { name: "Create link" }));
  await asked;
  const files = page.getByRole("list", { name: "Files" }).getByRole("listitem");
  await page.getByRole("button", { name: "Remove two.txt" }).click({ force: true });
  await input.setInputFiles(fileOf("three.txt"));
  await expect.poll(() => files.count()).toBe(3);
  answer.resolve();
  await page.getByLabel("The link", { exact: true }).waitFor();
  await page.getByText("two.txt").waitFor();
  expect(await page.getByText("three.txt").count()).toBe(0);
  await press(page.getByRole("button", { name: "Copy link" }));
  await press(page.getByRole("button", { name: "Share another" }));
  await page.getByText("three.txt").waitFor();
  expect(await files.count()).toBe(1);
});

browserTest("says that a pasted link cannot be read where there is no network", async () => {
  const { page } = await stage.open("/open");
  await page.context().setOffline(true);
  await page
    .getByLabel("Link", { exact: true })
    .fill(`${stage.url}/s/q7Zk2PfW0LxT8nBy#3mJrV9aQeXcT5uWzHs0KdL`);
  await press(page.getByRole("button", { name: "Continue" }));
  await page.getByRole("alert").getByText("The server cannot be reached").waitFor();
  await page.context().setOffline(false);
});
