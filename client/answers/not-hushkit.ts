// Something else than Hushkit answered: the only module that looks at such an answer, or at the error in place of one,
// and says what it probably is. Used by the typed client, the REST calls of pages and command line, and `hushkit
// verify`.
import type { AnswerSource, AnswerFacts, AnswerKind, NoAnswerKind } from "./advice.ts";

export interface CallTarget {
  readonly url: string;
  readonly method?: string | undefined;
  /** Whether the call carries something for this server alone, such as an account's token. */
  readonly isOwn?: boolean;
  /** The variable that names the proxy of the call. */
  readonly proxy?: string | undefined;
}

/** The parts of an answer that are looked at; a Response has them. */
export interface ReceivedAnswer {
  readonly status: number;
  /** The address that answered; empty where that is not known. */
  readonly url: string;
  readonly headers: Pick<Headers, "get">;
}

/** No Hushkit answered. The message says what did, what it probably is, and what to do. */
export class NotHushkit extends Error {
  override readonly name = "NotHushkit";
  readonly kind: AnswerKind | NoAnswerKind;
  /** Absent where nothing answered. */
  readonly facts: AnswerFacts | undefined;

  constructor(
    kind: AnswerKind | NoAnswerKind,
    message: string,
    { facts, cause }: { facts?: AnswerFacts; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.kind = kind;
    this.facts = facts;
  }

  /** Whether the same call may succeed a little later. */
  get isPassing(): boolean {
    return this.kind === "unreachable" || this.kind === "gateway";
  }
}

/** More errors than this do not wrap each other, unless one is its own cause. */
const MOST_CAUSES = 16;

/** The NotHushkit behind an error, also where another error wraps it, as tRPC's does. */
export function notHushkitOf(error: unknown): NotHushkit | undefined {
  let cause = error;
  for (let i = 0; i < MOST_CAUSES && cause instanceof Error; i++) {
    if (cause instanceof NotHushkit) return cause;
    cause = cause.cause;
  }
  return undefined;
}

/** The most that is quoted of others' text. */
const MOST_CHARACTERS = 120;

/** Says why fetch threw, as far as the runtime tells. */
export async function explainError(error: Error, { url, proxy }: CallTarget): Promise<NotHushkit> {
  const base = baseOf(url);
  // Browsers tell no reason, so pages do not load the list of reasons.
  const told = "process" in globalThis ? await import("./advice.ts") : undefined;
  const { kind, sentence } = told?.describeError(error, { base, proxy }) ?? {
    kind: "unreachable" as const,
    sentence: `${base} cannot be reached. Check the address and the network.`,
  };
  const more = kind === "unreachable" ? adviseOnOrigin(base) : "";
  return new NotHushkit(kind, sentence + more, { cause: error });
}

/** What may be wrong besides: to a page, an answer that it may not read looks like none (Fetch, 3.2). */
function adviseOnOrigin(base: string): string {
  const { origin } = globalThis.location ?? {};
  if (!origin || parseUrl(base)?.origin === origin) return "";
  return ` If both are right, the server may not allow pages of ${origin} to call it (CORS).`;
}

/** An answer of which the rest is missing, because the connection ended. */
export function cutAnswer(cause: unknown, url: string): NotHushkit {
  const message = `The connection to ${baseOf(url)} was cut in the middle of an answer. The server may have done what the call asks for.`;
  return new NotHushkit("unreachable", message, { cause });
}

/** Says what came in place of an answer of Hushkit. */
export async function explainAnswer(came: ReceivedAnswer, asked: CallTarget): Promise<NotHushkit> {
  const base = baseOf(asked.url);
  const last = lastAddress(came, asked);
  const kind = kindOf(came, { ...asked, last });
  const facts = factsOf(came, last);
  const about: AnswerSource = {
    base,
    facts,
    type: came.headers.get("content-type")?.split(";")[0]?.slice(0, MOST_CHARACTERS),
    isRedirect: REDIRECTS.includes(came.status),
    pages: base.replace(API_BASE, ""),
    newBase: newBaseOf(asked.url, last),
    isOwn: asked.isOwn,
  };
  const message = await import("./advice.ts").then(
    ({ describeAnswer }) => describeAnswer(kind, about),
    // What keeps a page from the server may keep it from the rest of its own scripts.
    () => `${base} answered ${came.status}. That is no Hushkit.`,
  );
  return new NotHushkit(kind, message, { facts });
}

/** A Hushkit of another version, which does not know the call. */
export function otherVersion(server: string, url: string): NotHushkit {
  const message = `${baseOf(url)} is Hushkit ${server}, which does not know this call: it is older or newer than this program. Use the version that fits the server, or have the server updated.`;
  return new NotHushkit("version", message);
}

const VERSION = /^\d{1,4}\.\d{1,4}\.\d{1,4}(?:-[\w.]{1,40})?$/;

/** The version in an answer of `/api/instance`; undefined where it is not from a Hushkit. */
export function versionOf(instance: unknown): string | undefined {
  const { version, limits } = Object(instance) as { version?: unknown; limits?: unknown };
  const isInstance = typeof version === "string" && VERSION.test(version) && typeof limits === "object";
  return isInstance ? version : undefined;
}

const REDIRECTS = [301, 302, 303, 307, 308];

function kindOf(
  { status, headers }: ReceivedAnswer,
  { url, last }: CallTarget & { last: string | undefined },
) {
  const isPage = /^text\/html|^application\/xhtml/i.test(headers.get("content-type") ?? "");
  if (REDIRECTS.includes(status) && last !== undefined) {
    const newBase = newBaseOf(url, last);
    if (newBase === undefined) return "login";
    return newBase === baseOf(url) ? "loop" : "moved";
  }
  if (status === 401 || status === 403) return "login";
  if (status === 413) return "too_large";
  if (status === 429) return "busy";
  // Network Authentication Required (RFC 6585, 6).
  if (status === 511) return "portal";
  if (status >= 500) return "gateway";
  // A POST that arrived as a GET (RFC 9110, 15.4.2).
  if (status === 405 && last !== undefined && newBaseOf(url, last) !== undefined) return "moved";
  if (isPage && last !== undefined) return "login";
  return isPage && status === 200 ? "portal" : "other";
}

/** Where a redirect leads, or where a followed one ended; undefined where it is the first address. */
function lastAddress({ status, url, headers }: ReceivedAnswer, asked: CallTarget): string | undefined {
  const location = REDIRECTS.includes(status) ? headers.get("location") : null;
  if (location !== null) return parseUrl(location, url || asked.url)?.href;
  return url === "" || url === parseUrl(asked.url)?.href ? undefined : url;
}

/** Node 20 and older browsers lack URL.parse. A page's addresses may lack the server. */
export function parseUrl(url: string, base = globalThis.location?.href): URL | undefined {
  try {
    return new URL(url, base);
  } catch {
    return undefined;
  }
}

function factsOf({ status, headers }: ReceivedAnswer, last: string | undefined): AnswerFacts {
  const server = headers.get("server");
  const address = last === undefined ? undefined : parseUrl(last);
  return {
    status,
    ...(server && { server: server.slice(0, MOST_CHARACTERS) }),
    // The query may contain what must not be logged.
    ...(address && {
      address: `${address.protocol}//${address.host}${address.pathname}`.slice(0, MOST_CHARACTERS),
    }),
  };
}

/** The server of an API address. */
function baseOf(url: string): string {
  const { origin = "", pathname = url } = parseUrl(url) ?? {};
  return `${origin}${pathname.replace(API, "")}`.replace(/\/+$/, "");
}

/** Only the last of them: the address before it may end with such a path, by mistake or behind a proxy. */
const API = /\/(?:trpc|api)(?=\/)(?!.*\/(?:trpc|api)\/).*$/;

/** The server that a call was redirected to; undefined where that address is no call of its API. */
function newBaseOf(url: string, last: string | undefined): string | undefined {
  const [call] = API.exec(parseUrl(url)?.pathname ?? "") ?? [];
  const to = last === undefined ? undefined : parseUrl(last);
  if (call === undefined || !to?.pathname.endsWith(call)) return undefined;
  return `${to.origin}${to.pathname.slice(0, -call.length)}`;
}

/** How an address ends that was taken for the one of the pages. */
export const API_BASE = /(?:\/(?:api|trpc))+$/;
