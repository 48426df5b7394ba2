import { isBase62 } from "../../tools/crypto/base62.ts";
import type { Credential } from "../context.ts";
import { SESSION_VALUE_LENGTH } from "../schemas.ts";

/** The name and scope of a cookie of this instance. */
export interface Cookie {
  readonly name: string;
  /** The folder below the base path that it is sent to; only without one can its name's prefix promise the path "/". */
  readonly folder?: string;
}

type Instance = { readonly publicUrl: string };
/** The headers that tell whether a request's cookies count. */
export type CookieSource = Pick<Credential, "cookie" | "fetchSite" | "origin">;

/** The login's cookie, without the prefix that its name has where the public URL is https. */
export const SESSION_COOKIE = "service_user_session";
const COOKIE = { name: SESSION_COOKIE };

/**
 * The value of a cookie. Two with the same name count as none: a neighbouring host may have planted one, and nothing
 * tells which. A name without its prefix counts from programs, where nobody plants cookies, and not from browsers.
 */
export function readCookie(
  { cookie, fetchSite, origin }: CookieSource,
  { name }: Cookie,
  { publicUrl }: Instance,
): string | undefined {
  if (cookie === null) return undefined;
  const own = valueOf(cookie, prefixFor(publicUrl) + name);
  const isProgram = fetchSite === null && origin === null;
  return own ?? (isProgram ? valueOf(cookie, name) : undefined);
}

/**
 * The names of cookies with this beginning, without their prefix, oldest first as browsers send them (RFC 6265, 5.4).
 */
export function cookieNames(header: string, beginning: string, { publicUrl }: Instance): string[] {
  const prefix = prefixFor(publicUrl);
  return pairsOf(header)
    .map(([name]) => name)
    .filter((name) => name.startsWith(prefix + beginning))
    .map((name) => name.slice(prefix.length));
}

/**
 * A Set-Cookie header, for a cookie that scripts cannot read and other sites cannot have sent. Without seconds it
 * deletes the cookie.
 */
export function writeCookie(
  { name, folder = "" }: Cookie,
  { value, seconds, publicUrl }: Instance & { value: string; seconds: number },
): string {
  const prefix = prefixFor(publicUrl);
  const path = prefix === HOST ? "/" : basePathOf(publicUrl) + folder || "/";
  const secure = publicUrl.startsWith("https:") ? "; Secure" : "";
  return `${prefix}${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}

/** The session's value in a Cookie header. */
export function readSessionCookie(sent: CookieSource, instance: Instance): string | undefined {
  return readCookie(sent, COOKIE, instance);
}

/** Whether a text has the form of a session's value. */
export function isSessionValue(value: string): boolean {
  return isBase62(value, SESSION_VALUE_LENGTH);
}

/** The Set-Cookie header that stores a session's value in the browser for a number of seconds, out of reach of scripts. */
export function sessionCookie(options: Instance & { value: string; seconds: number }): string {
  return writeCookie(COOKIE, options);
}

/** Makes the browser delete its session's value. */
export function clearSessionCookie(answer: Headers, { publicUrl }: Instance): void {
  answer.set("set-cookie", writeCookie(COOKIE, { value: "", seconds: 0, publicUrl }));
}

/** No other host can set such a cookie (RFC 6265bis, 4.1.3): it has no Domain, and the path "/". */
const HOST = "__Host-";

function prefixFor(publicUrl: string): string {
  if (!publicUrl.startsWith("https:")) return "";
  return basePathOf(publicUrl) === "" ? HOST : "__Secure-";
}

function valueOf(header: string, name: string): string | undefined {
  const values = pairsOf(header).filter(([each]) => each === name);
  return values.length === 1 ? values[0]?.[1] : undefined;
}

function pairsOf(header: string): [name: string, value: string][] {
  return header.split(";").flatMap((pair): [string, string][] => {
    const at = pair.indexOf("=");
    return at < 0 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]];
  });
}

/** The path of PUBLIC_URL without a slash at its end; "" where there is none. */
export function basePathOf(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/+$/, "");
}
