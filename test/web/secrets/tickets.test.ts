// browser
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { browserTest, openStage, type Stage } from "../support/browser.ts";
import { sendText } from "../support/send-text.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const opener = (page: Page) => page.getByRole("button", { name: "Open the secret" });
const shown = (page: Page) => page.getByRole("region", { name: "The secret" }).textContent();

browserTest("opens a text again after a reload, until it is said to be received", async () => {
  const link = await sendText(stage.url, "still here");
  const { page } = await stage.open(link);
  page.on("dialog", (dialog) => void dialog.accept());
  await opener(page).click();
  expect(await shown(page)).toBe("still here");
  const stored = await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }));
  expect(stored).not.toContain(link.slice(link.indexOf("#") + 1, link.indexOf(".")));
  expect(stored).not.toContain("still here");

  await page.reload();
  await page.getByText("This tab can show it again for ten minutes").waitFor();
  await opener(page).click();
  expect(await shown(page)).toBe("still here");
  await page.getByRole("button", { name: "I have it, delete it now" }).click();
  await page.getByText("It has been deleted from the server").waitFor();

  await page.reload();
  await page.getByRole("heading", { name: "You have already opened this secret" }).waitFor();
});

/** As browsers do that are told to keep nothing of a site. */
function blockStorage(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const get = () => {
      throw new DOMException("Access is denied", "SecurityError");
    };
    for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { get });
  });
}

browserTest("keeps its promise where the browser keeps nothing of a site", async () => {
  const link = await sendText(stage.url, "still here");
  const { page } = await stage.open("/healthz");
  await blockStorage(page);
  page.on("dialog", (dialog) => void dialog.accept());
  await page.goto(stage.url + link);
  for (let i = 0; i < 2; i++) {
    await opener(page).click();
    expect(await shown(page)).toBe("still here");
    await page.reload();
    await page.getByText("This tab can show it again for ten minutes").waitFor();
  }
  await opener(page).click();
  await page.getByRole("button", { name: "I have it, delete it now" }).click();
  await page.getByText("It has been deleted from the server").waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "You have already opened this secret" }).waitFor();
});

browserTest("reads the whole link where it replaces one that was cut off", async () => {
  const link = await sendText(stage.url, "whole");
  for (const cut of [link.slice(0, -30), link.replace(/#.*/, ""), link.replace(/#..../, "#AAAA")]) {
    const { page } = await stage.open(cut);
    await page.getByRole("textbox", { name: "Link" }).waitFor();
    await page.evaluate((to) => location.assign(to), stage.url + link);
    await opener(page).waitFor();
  }
  const { page } = await stage.open(link);
  await opener(page).waitFor();
  await page.locator("a.skip").focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("content");
  expect(page.url()).toBe(stage.url + link);
});

browserTest("says at once that there is no network, and opens when there is", async () => {
  const link = await sendText(stage.url, "waited for");
  const { page } = await stage.open(link);
  await opener(page).waitFor();
  await page.context().setOffline(true);
  await opener(page).click();
  await page.getByText("The server cannot be reached").waitFor();
  await page.context().setOffline(false);
  await opener(page).click();
  expect(await shown(page)).toBe("waited for");
});

browserTest("opens nothing again in another tab, nor when ten minutes are over", async () => {
  const link = await sendText(stage.url, "for one tab");
  const { page } = await stage.open(link);
  page.on("dialog", (dialog) => void dialog.accept());
  await opener(page).click();
  expect(await shown(page)).toBe("for one tab");
  const { page: other } = await stage.open(link);
  await other.getByRole("heading", { name: "This secret was opened before you" }).waitFor();
  await page.reload();
  stage.clock.ahead += 601_000;
  await opener(page).click();
  await page.getByRole("heading", { name: "You have already opened this secret" }).waitFor();
});

browserTest("asks again where the answer was lost on its way", async () => {
  const link = await sendText(stage.url, "lost and found");
  const { page } = await stage.open(link);
  let lost = 0;
  await page.route("**/reveal", async (route) => {
    if (lost++ > 0) return route.continue();
    await route.fetch();
    await route.abort("connectionreset");
  });
  await opener(page).click();
  expect(await shown(page)).toBe("lost and found");
  expect(lost).toBe(2);
});

browserTest("keeps an answer for its asker's tab until it is said to be received", async () => {
  const { page } = await stage.open("/ask");
  page.on("dialog", (dialog) => void dialog.accept());
  await page.getByRole("button", { name: "Create" }).first().click();
  const boxes = page.locator(".chip");
  const give = await boxes.nth(0).innerText();
  const keep = await boxes.nth(1).innerText();
  const { page: answerer } = await stage.open(give.slice(stage.url.length));
  await answerer.locator("textarea").fill("the answer");
  await answerer.locator("button.primary").click();
  const { page: asker } = await stage.open(keep.slice(stage.url.length));
  asker.on("dialog", (dialog) => void dialog.accept());
  for (let i = 0; i < 2; i++) {
    await asker.locator("#read").click();
    await asker.locator("pre.secret").getByText("the answer").waitFor();
    if (i > 0) continue;
    await asker.reload();
    await asker.getByText("The server keeps it for this tab for ten minutes").waitFor();
  }
  await asker.getByRole("button", { name: "I have it, delete it now" }).click();
  await asker.getByText("It has been deleted from the server").waitFor();
  await asker.reload();
  await asker.getByText("The answer has been read").waitFor();
  expect(await asker.locator("#read").count()).toBe(0);
});
