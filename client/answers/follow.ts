import { explainAnswer, explainError, parseUrl, type CallTarget } from "./not-hushkit.ts";

const MOST_HOPS = 5;
/** The redirects that keep method and body (RFC 9110, 15.4.8 and 15.4.9). */
const KEEPING = [307, 308];
const REDIRECTS = [301, 302, 303, ...KEEPING];
/** Headers for the server that they were made for and no other; the last is sent with calls that log in. */
const OWN_HEADERS = ["authorization", "cookie", "sec-fetch-site"];

/**
 * Asks as fetch does, but follows a POST only where method and body are kept, and a call of an account to no other server:
 * without its token a member's secret would be stored there as nobody's. `again` gives the body anew where it is a stream.
 * Browsers tell of no redirect before they have followed it, and there it is seen by what the answer is.
 * @throws NotHushkit for another redirect, and where nothing answers
 */
export async function askFollowing(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit,
  again?: () => BodyInit | undefined,
): Promise<Response> {
  const isOwn = hasOwnHeaders(init);
  const asked: CallTarget = { url, method: init.method, isOwn };
  if (!seesRedirects()) return askOnce(fetch, url, { init, asked });
  const isRead = ["GET", "HEAD"].includes(init.method ?? "GET");
  let [at, sent] = [url, init];
  for (let hops = 0; ; hops++) {
    const response = await askOnce(fetch, at, { init: { ...sent, redirect: "manual" }, asked });
    const location = REDIRECTS.includes(response.status) ? response.headers.get("location") : null;
    if (location === null) return response;
    await response.body?.cancel();
    const next = parseUrl(location, at);
    const isKept = isRead || KEEPING.includes(response.status);
    const isLegal = next && isSafe(at, next) && !(isOwn && next.origin !== parseUrl(at)?.origin);
    if (!isKept || !isLegal || hops === MOST_HOPS) throw await explainAnswer(response, asked);
    if (!isRead) {
      const body = bodyAgain(sent, again);
      if (body === undefined) throw await explainAnswer(response, asked);
      sent = { ...sent, body };
    }
    at = next.href;
  }
}

function hasOwnHeaders({ headers }: RequestInit): boolean {
  const sent = new Headers(headers);
  return OWN_HEADERS.some((name) => sent.has(name));
}

// True in Node, Deno and Bun. Service workers have neither.
function seesRedirects(): boolean {
  return "process" in globalThis && typeof XMLHttpRequest === "undefined";
}

async function askOnce(
  fetch: typeof globalThis.fetch,
  url: string,
  { init, asked }: { init: RequestInit; asked: CallTarget },
): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    // Fetch throws a TypeError where the network fails, and in workerd an Error. A fetch of the caller's own may have
    // other errors.
    const isNetwork = error instanceof (fetch === globalThis.fetch ? Error : TypeError);
    throw isNetwork && !init.signal?.aborted ? await explainError(error, asked) : error;
  }
}

function bodyAgain({ body }: RequestInit, again: (() => BodyInit | undefined) | undefined) {
  return again ? again() : body instanceof ReadableStream ? undefined : (body ?? "");
}

/** What was sent over TLS is not sent on without it. */
function isSafe(from: string, to: URL): boolean {
  return to.protocol === "https:" || (to.protocol === "http:" && from.startsWith("http:"));
}
