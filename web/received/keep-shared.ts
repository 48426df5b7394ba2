/// <reference lib="webworker" />
import { randomBase62 } from "../../tools/crypto/base62.ts";
import { readQuestion, readShared, SHARED, type SharedContent } from "./handover.ts";

/** 131 bits: whoever knows the name gets what was shared. */
const NAME_LENGTH = 22;

// In memory only, as it may be what must not be found later. The page asks within a moment, in which no browser ends
// a worker; a second share takes the place of the first.
let kept: { readonly name: string; readonly received: SharedContent } | undefined;

/**
 * In the service worker: keeps what a device shares for the page, to which the answer leads. A worker is not told who
 * has sent a form, and any site could send one here; the server, which is asked for the page, is told by the browser,
 * and takes the name off the address where it was another site. Without the name nothing is handed over.
 */
export async function keepShared(request: Request): Promise<Response> {
  const name = randomBase62(NAME_LENGTH);
  kept = { name, received: readShared(await request.formData()) };
  const page = new URL(request.url);
  page.search = new URLSearchParams({ [SHARED]: name }).toString();
  return Response.redirect(page.href, 303);
}

/** Answers the page that asks for it by its name. Whoever asks second gets nothing. */
export function handOver({ data, ports: [port] }: ExtendableMessageEvent): void {
  const question = readQuestion(data);
  if (!question || !port) return;
  port.postMessage(kept?.name === question.name ? kept.received : undefined);
  kept = undefined;
}
