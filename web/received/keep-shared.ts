/// <reference lib="webworker" />
import { ASK, readShared, type Received } from "./handover.ts";

// In memory only, as it may be what must not be found later. The page asks within a moment, in which no browser ends
// a worker; a second share takes the place of the first.
let kept: Received | undefined;

/** In the service worker: keeps what a device shares for the page, to which the answer leads. */
export async function keepShared(request: Request): Promise<Response> {
  kept = readShared(await request.formData());
  return Response.redirect(request.url, 303);
}

/** Answers the page that asks for it. Whoever asks second gets nothing. */
export function handOver({ data, ports: [port] }: ExtendableMessageEvent): void {
  if (data !== ASK || !port) return;
  port.postMessage(kept);
  kept = undefined;
}
