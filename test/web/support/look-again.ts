import type { Page } from "playwright-core";

/** Has a page ask at once for what it follows, as it does when it comes to the front; otherwise it waits for seconds. */
export async function lookAgain(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
}
