import { errorLink } from "../../client/answers/error-link.ts";
import { createClient } from "../../client/client.ts";
import { keyLink } from "../../client/delivery-link.ts";
import type { Progress } from "../../client/call-context.ts";
import { inTime } from "../app/paths/reload.ts";
import { explainError } from "./wall.ts";
import type { Control } from "../work/run.ts";
import { SERVER_URL } from "../app/paths/base.ts";

/**
 * Calls that change an account. Everything else that is created is encrypted anew each time, which makes it another
 * call.
 */
const KEYED = /^(account|tokens|admin)\./;

/** The typed client of the server that sent this page. */
export const server = createClient(SERVER_URL, {
  fetch: ask,
  links: [errorLink(explainError), keyLink(KEYED)],
});

/** Work on files, and sending them, takes as long as it takes. */
function ask(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const body = init?.body ?? "";
  const isLong = typeof body !== "string" || /\/tools\./.test(String(input));
  return isLong ? fetch(input, init) : inTime(fetch(input, init), body.length);
}

/** Options to watch and stop a call: they report how much was sent; after that it is the server's turn. */
export function callOptions({ signal, onProgress }: Control) {
  const onUploadProgress = ({ loaded, total = 0 }: Progress) =>
    onProgress(loaded < total ? loaded / total : undefined);
  return { signal, context: { onUploadProgress } };
}
