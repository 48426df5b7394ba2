/// <reference lib="webworker" />
import { randomBase62 } from "../../tools/crypto/base62.ts";
import { readQuestion, readShared, SHARED, type SharedContent } from "./handover.ts";

/** 131 bits, because anybody with the name gets what was shared. */
const NAME_LENGTH = 22;

// In memory only, because it may be something that must not be found later. The page asks so soon that no browser ends
// a worker in between; a second share replaces the first.
let kept: { readonly name: string; readonly received: SharedContent } | undefined;

/**
 * In the service worker: stores what a device shares for the page that the answer leads to. A worker cannot see who has
 * sent a form, and any site could send one here; the server, which is asked for the page, learns it from the browser,
 * and removes the name from the address if it was another site. Without the name nothing is handed over.
 */
export async function keepShared(request: Request): Promise<Response> {
  const name = randomBase62(NAME_LENGTH);
  kept = { name, received: readShared(await request.formData()) };
  const page = new URL(request.url);
  page.search = new URLSearchParams({ [SHARED]: name }).toString();
  return Response.redirect(page.href, 303);
}

/** Answers the page that asks by the name. A second request gets nothing. */
export function handOver({ data, ports: [port] }: ExtendableMessageEvent): void {
  const question = readQuestion(data);
  if (!question || !port) return;
  port.postMessage(kept?.name === question.name ? kept.received : undefined);
  kept = undefined;
}
