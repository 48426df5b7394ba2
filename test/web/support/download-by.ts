import type { Download, Page } from "playwright-core";

/** What the browser saves when something is done; where that fails, nobody goes on waiting for it. */
export async function downloadBy(page: Page, act: () => Promise<unknown>): Promise<Download> {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  return download;
}
