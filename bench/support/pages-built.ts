import type { RunningServer } from "../../test/process/support/server.ts";

/** A server that has just met new sources builds its pages first, in a child that is not to be measured. */
export async function pagesBuilt({ url }: RunningServer): Promise<void> {
  // Of the page, since whoever does not ask for HTML is answered at once.
  const init = { headers: { Accept: "text/html" } };
  while ((await fetch(url, init)).status === 503) await new Promise((resolve) => setTimeout(resolve, 200));
}
