import type { RunningServer } from "../../test/process/support/server.ts";

/** A server that has just met new sources builds its pages first, in a child that is not to be measured. */
export async function pagesBuilt({ url }: RunningServer): Promise<void> {
  // The page is asked for, since calls that do not ask for HTML are answered at once.
  const init = { headers: { Accept: "text/html" } };
  while ((await fetch(url, init)).status === 503) await new Promise((resolve) => setTimeout(resolve, 200));
}
