import { isBase62 } from "../../tools/crypto/base62.ts";
import { basePathOf } from "../base-path.ts";
import { SESSION_VALUE_LENGTH } from "../ids.ts";
import { SESSION_SECONDS } from "../limits.ts";

/** The cookie that a login sets. */
export const SESSION_COOKIE = "service_user_session";

/** The session's value in a Cookie header. */
export function readSessionCookie(header: string): string | undefined {
  return readCookie(header, SESSION_COOKIE);
}

/**
 * The value of a cookie. Two of one name count as none: a neighbouring host may have planted one of them, and there is no
 * way to tell which.
 */
export function readCookie(header: string, name: string): string | undefined {
  const values = header.split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at >= 0 && pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
  return values.length === 1 ? values[0] : undefined;
}

/** Whether a value can be a session's. */
export function isSessionValue(value: string): boolean {
  return isBase62(value, SESSION_VALUE_LENGTH);
}

/** Makes the browser keep a session's value, out of reach of scripts. */
export function setSessionCookie(
  answer: Headers,
  { value, publicUrl }: { value: string; publicUrl: string },
) {
  answer.set("set-cookie", sessionCookie(value, { publicUrl, seconds: SESSION_SECONDS }));
}

/** Makes the browser forget its session's value. */
export function clearSessionCookie(answer: Headers, { publicUrl }: { publicUrl: string }): void {
  answer.set("set-cookie", sessionCookie("", { publicUrl, seconds: 0 }));
}

function sessionCookie(
  value: string,
  { publicUrl, seconds }: { publicUrl: string; seconds: number },
): string {
  const path = basePathOf(publicUrl) || "/";
  return writeCookie({ name: SESSION_COOKIE, value, path, seconds, publicUrl });
}

/** A Set-Cookie header; no script reads it, and no page of another site has it sent along. */
export function writeCookie({
  name,
  value,
  path,
  seconds,
  publicUrl,
}: {
  name: string;
  value: string;
  path: string;
  seconds: number;
  publicUrl: string;
}): string {
  const secure = publicUrl.startsWith("https:") ? "; Secure" : "";
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
