import { z } from "zod";
import { textKind, sizeKind, readSize, wholeNumber, type Kind } from "./values.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const GIB = 1024 * MIB;
const DAY_SECONDS = 86_400;

/** At most 500 MiB: some engines cannot make a longer string, and tools hold the whole file in memory. */
export const fileSize = sizeBetween({ from: KIB, to: 500 * MIB, range: "1KiB to 500MiB" });
/** The file of a secret is processed in pieces, so it may be larger than a tool's. */
export const secretFileSize = sizeBetween({ from: KIB, to: 2 * GIB, range: "1KiB to 2GiB" });
export const storedBytes = sizeBetween({ from: MIB, to: 1024 * GIB, range: "1MiB to 1TiB" });
export const characters = wholeNumber({ from: 100, to: 5_000_000, unit: "of characters" });
export const calls = wholeNumber({ from: 1, to: 100_000, unit: "of calls" });

/** In seconds, from a number with a unit. */
export const lifetime = textKind(readLifetime, "a time from 1m to 3650d, such as 30m, 12h or 7d");

/** In seconds, the default first; undefined where all lifetimes within the bounds are offered. */
export const lifetimes: Kind<readonly number[] | undefined, readonly string[] | string> = {
  schema: z.union([z.literal("any").transform(() => undefined), textKind(readLifetimes, "").schema]),
  legal: "any, or up to 20 times from 1m to 3650d with commas between, each once, such as 1h,1d,7d",
  given: z.union([z.string(), z.array(z.string()).readonly()]),
};

/** In seconds; undefined means the first of LIFETIMES, or a day where that is `any`. */
export const defaultLifetime: Kind<number | undefined> = {
  ...lifetime,
  schema: z.union([z.literal("first").transform(() => undefined), lifetime.schema]),
  legal: `first (of LIFETIMES; where that is any, the time nearest to 1d from MIN_LIFETIME to LIFETIME), or ${lifetime.legal}`,
};

export const path = orNone(textKind((text) => (text.includes("\0") ? null : text), "the path of a file"));

/** The address of a page for people. */
export const webPage = orNone(textKind(readWebPage, "an http:// or https:// URL without user name"));

/** As a URL. */
export const contact = orNone(
  textKind(
    (text) => (MAIL_ADDRESS.test(text) ? `mailto:${text}` : readWebPage(text)),
    "a mail address, or an http:// or https:// URL without user name",
  ),
);

/** Words of other settings, and of other programs: a file of that name, which nobody means, has `./` before it. */
const NO_PATH = /^(?:on|off|std(?:out|err)|true|false|yes|no|none|[01]|-)$/i;

/** Where a log is written. */
export const logTarget: Kind<"off" | "stdout" | { readonly path: string }> = textKind((text) => {
  if (text === "off" || text === "stdout") return text;
  return text.includes("\0") || NO_PATH.test(text) ? null : { path: text };
}, "off, stdout or the path of a file");

/** In the form of Standard Webhooks 1.0; two while receivers change from one to the other. */
export const signingKeys: Kind<readonly string[] | undefined> = orNone(
  textKind((text) => {
    const keys = text.split(",").map((key) => key.trim());
    return keys.length <= 2 && keys.every(isSigningKey) ? keys : null;
  }, "whsec_ and 24 to 64 bytes in base64, or two of them with a comma between"),
);

function isSigningKey(key: string): boolean {
  const [, base64 = ""] = /^whsec_([A-Za-z\d+/]{32,86})={0,2}$/.exec(key) ?? [];
  // A single letter after the groups of four encodes no byte.
  return base64 !== "" && base64.length % 4 !== 1;
}

export const instanceKey = orNone(textKind(readInstanceKey, "32 bytes in base64 or base64url"));

/** The bytes of a key in a setting or a file; null for any other text. */
export function readInstanceKey(text: string): Uint8Array<ArrayBuffer> | null {
  return /^[\w+/-]{43}=?$/.test(text) ? new Uint8Array(Buffer.from(text, "base64")) : null;
}

const LOOPBACK = /^http:\/\/(?:127(?:\.\d{1,3}){3}|\[::1\]|localhost)(?::\d{1,5})?(?:\/|$)/;

/** An OpenID Connect issuer, exactly as it calls itself. */
export const issuer = orNone(
  textKind(
    (text) => (isEncryptedOrLoopback(text) && !/[?#]/.test(text) && readWebPage(text) !== null ? text : null),
    "an https:// URL without query, or an http:// one of a loopback address",
  ),
);

/** The URL of a receiver; its path or query may contain a key. */
export const webhookUrl = orNone(
  textKind((text) => {
    const href = readWebPage(text);
    return href !== null && isEncryptedOrLoopback(href) ? href : null;
  }, "an https:// URL without user name, or an http:// one of a loopback address"),
);

function isEncryptedOrLoopback(url: string): boolean {
  return url.startsWith("https://") || LOOPBACK.test(url);
}

/** Text on one line. */
export function line(most: number): Kind<string> {
  return textKind(
    (text) => ([...text].length <= most && !/[\p{Cc}\p{Cs}\u2028\u2029]/u.test(text) ? text : null),
    `a line of up to ${most} characters`,
  );
}

/** A kind that also allows no value. */
export function orNone<Value, Given>(kind: Kind<Value, Given>): Kind<Value | undefined, Given> {
  return {
    ...kind,
    schema: z.union([z.literal("none").transform(() => undefined), kind.schema]),
    legal: `none, or ${kind.legal}`,
  };
}

/** Some of a few words, in their own order; `all` means each of them. */
export function someOf(words: readonly string[]): Kind<readonly string[], readonly string[]> {
  const read = (text: string) => {
    const given = text === "all" ? words : text.split(",").map((word) => word.trim());
    return given.every((word) => words.includes(word)) ? words.filter((word) => given.includes(word)) : null;
  };
  const kind = textKind(read, `all, or some of ${words.join(",")}`);
  return { ...kind, given: z.array(z.string()).readonly() };
}

function sizeBetween({ from, to, range }: { from: number; to: number; range: string }) {
  const read = (text: string) => {
    const bytes = readSize(text);
    return bytes !== null && bytes >= from && bytes <= to ? bytes : null;
  };
  return sizeKind(read, `from ${range}`);
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: DAY_SECONDS };

function readLifetime(text: string): number | null {
  const [, number, unit = ""] = /^(\d{1,9}) ?([smhd])$/.exec(text) ?? [];
  const seconds = Number(number) * (UNIT_SECONDS[unit] ?? Number.NaN);
  return seconds >= 60 && seconds <= 3650 * DAY_SECONDS ? seconds : null;
}

const MAX_LIFETIMES = 20;

function readLifetimes(text: string): number[] | null {
  const list = text.split(",").map((each) => readLifetime(each.trim()) ?? Number.NaN);
  const isList = !list.includes(Number.NaN) && new Set(list).size === list.length;
  return isList && list.length <= MAX_LIFETIMES ? list : null;
}

const MAIL_ADDRESS = /^[\w.+-]{1,64}@(?:[a-z\d-]{1,63}\.)+[a-z\d-]{1,63}$/i;

function readWebPage(text: string): string | null {
  if (!/^https?:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text)) return null;
  const { username, password, href } = new URL(text);
  return username || password ? null : href;
}
