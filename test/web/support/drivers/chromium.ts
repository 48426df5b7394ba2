import type { Page } from "playwright-core";

/** Evaluates an expression beside the page: the policy of the page does not hold there. */
export async function evaluateApart(page: Page, expression: string): Promise<unknown> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId: contextId } = await session.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
  });
  const evaluated = { contextId, expression, awaitPromise: true, returnByValue: true };
  const { result } = await session.send("Runtime.evaluate", evaluated);
  return result.value;
}
