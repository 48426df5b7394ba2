// browser
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { browserTest, openStage, type Stage } from "../support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const LISTS = /trpc\/.*(list|sessions|passkeys)/;

async function register(page: Page, name: string): Promise<void> {
  await page.getByText("Create an account").click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("textbox", { name: "Password" }).fill("a long password");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("button", { name: "I have saved it" }).click();
  await page.getByRole("button", { name: "Create token" }).waitFor();
}

/** Notes in the page what moves while it can be seen, from now on. */
async function watchMoves(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const places = new Map<string, number>();
    const moves: string[] = [];
    Object.assign(globalThis, { moves });
    const look = () => {
      for (const part of document.querySelectorAll("main h2, main button")) {
        const name = part.ariaLabel ?? part.textContent;
        if (!part.checkVisibility({ visibilityProperty: true })) continue;
        const { top } = part.getBoundingClientRect();
        const before = places.get(name) ?? top;
        if (Math.abs(before - top) > 1) moves.push(`${name}: ${before} to ${top}`);
        places.set(name, top);
      }
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/** The two seconds after which all is shown last for ever: a busy machine may take longer for its lists. */
function stopAnimations(): void {
  const style = new CSSStyleSheet();
  style.replaceSync("* { animation-play-state: paused !important }");
  document.adoptedStyleSheets = [style];
}

browserTest(
  "shows nothing of an account that a list on its way would push from under a pointer",
  async () => {
    const { page } = await stage.open("/account");
    await register(page, "still");
    for (const name of ["one", "two"]) {
      await page.getByLabel("What it is for").fill(name);
      await page.getByRole("button", { name: "Create token" }).click();
      await page.getByRole("button", { name: `Revoke ${name}` }).waitFor();
    }
    const held: Route[] = [];
    await page.route(LISTS, (route) => void held.push(route));
    await page.addInitScript(stopAnimations);
    await watchMoves(page);
    await page.reload();
    await page.getByRole("heading", { name: "Your secrets" }).waitFor();
    expect(await page.getByRole("button", { name: "Create token" }).isVisible()).toBe(false);
    // One after another, each drawn before the next comes.
    for (const last of [
      page.getByRole("button", { name: "Revoke two" }),
      page.getByRole("heading", { name: "Settings" }),
    ]) {
      await expect
        .poll(async () => {
          await held.shift()?.continue();
          await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
          return last.isVisible();
        })
        .toBe(true);
    }
    expect(await page.evaluate(() => Reflect.get(globalThis, "moves") as string[])).toEqual([]);
  },
);

browserTest("shows the rest of an account where a list does not come", async () => {
  const { page } = await stage.open("/account");
  await register(page, "patient");
  await page.route(LISTS, () => {});
  await page.reload();
  await page.getByRole("heading", { name: "Your secrets" }).waitFor();
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  await page.getByRole("button", { name: "Create token" }).waitFor();
});
