import { isBase62 } from "../../tools/crypto/base62.ts";
import { SESSION_VALUE_LENGTH } from "../ids.ts";
import { readCookie, writeCookie, type Sent } from "./cookies.ts";

/** The cookie that a login sets, without the prefix that it has where the public URL is https. */
export const SESSION_COOKIE = "service_user_session";
const COOKIE = { name: SESSION_COOKIE };

interface Instance {
  readonly publicUrl: string;
}

/** The session's value in a Cookie header. */
export function readSessionCookie(sent: Sent, instance: Instance): string | undefined {
  return readCookie(sent, COOKIE, instance);
}

/** Whether a value can be a session's. */
export function isSessionValue(value: string): boolean {
  return isBase62(value, SESSION_VALUE_LENGTH);
}

/** Makes the browser keep a session's value for so many seconds, out of reach of scripts. */
export function setSessionCookie(
  answer: Headers,
  { value, seconds, publicUrl }: Instance & { value: string; seconds: number },
): void {
  answer.set("set-cookie", writeCookie(COOKIE, { value, seconds, publicUrl }));
}

/** Makes the browser forget its session's value. */
export function clearSessionCookie(answer: Headers, { publicUrl }: Instance): void {
  answer.set("set-cookie", writeCookie(COOKIE, { value: "", seconds: 0, publicUrl }));
}
