import type { TRPCLink } from "@trpc/client";
import type { AppRouter } from "../router/app.ts";
import { parseUrl } from "./answers/not-hushkit.ts";
import type { Connection } from "./frame-link.ts";

export interface ClientOptions {
  /** An API token; without one the anonymous limits apply. */
  readonly token?: string | undefined;
  /** More headers for every request, or a function that returns them each time. */
  readonly headers?: Connection["headers"];
  /** Replaces the platform's fetch: for tests, frameworks and proxies. */
  readonly fetch?: typeof fetch | undefined;
  /** tRPC links in front of the one that sends, such as `loggerLink()` or `retryLink(…)`. */
  readonly links?: readonly TRPCLink<AppRouter>[] | undefined;
  /** Whether the browser sends cookies: "include" for a page of another origin, as far as the server allows it. */
  readonly credentials?: RequestCredentials | undefined;
}

const OPTIONS: readonly string[] = [
  "token",
  "headers",
  "fetch",
  "links",
  "credentials",
] satisfies (keyof ClientOptions)[];

/** @throws TypeError for an unknown option and for a malformed token */
export function checkOptions(options: unknown): void {
  if (typeof options !== "object" || options === null)
    throw new TypeError("The options of createClient must be an object, such as { token }");
  const unknown = Object.keys(options).filter((name) => !OPTIONS.includes(name));
  if (unknown.length > 0)
    throw new TypeError(`There is no option ${unknown.join(", ")}; the options are ${OPTIONS.join(", ")}`);
  const { token }: { token?: unknown } = options;
  if (token === undefined || (typeof token === "string" && token.trim() !== "")) return;
  const what = typeof token === "string" ? "empty" : "not a string";
  throw new TypeError(
    `The option token is ${what}. Is the environment variable set that it is read from? To call without an account, leave it out.`,
  );
}

/**
 * The address that all calls are below, without a slash at the end.
 * @throws TypeError for a text that is not the address of a server
 */
export function readBase(url: string | URL, { fetch }: Pick<ClientOptions, "fetch">): string {
  const text = String(url).trim();
  const isPath = /^(\/|$)/.test(text);
  const problem = isPath ? describePath(fetch) : describeAddress(text);
  if (problem !== undefined) throw new TypeError(`The URL of the server ${problem}`);
  return text.replace(/\/+$/, "");
}

/** What is wrong with a path; undefined where nothing is. */
function describePath(fetch: ClientOptions["fetch"]): string | undefined {
  // The fetch of a framework knows where a path leads.
  if (fetch || globalThis.location) return undefined;
  return "must begin with http:// or https://: it may be empty or begin with / only on a page";
}

/** What is wrong with an address; undefined where nothing is. */
function describeAddress(text: string): string | undefined {
  if (!/^https?:\/\//i.test(text)) return "must begin with http:// or https://, or with / on its own pages";
  const url = parseUrl(text);
  if (!url) return "cannot be read: it must be like https://hush.example";
  // Fetch refuses a name and a password; a query or a fragment would swallow the paths that are added.
  if (url.username || url.password || /[?#]/.test(text))
    return "must have no name, password, query or fragment";
  return undefined;
}
