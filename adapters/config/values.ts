import { z } from "zod";
import { isAddress, isRange, type Trust } from "../service/address.ts";

export interface Machine {
  readonly memoryBytes: number;
  readonly cores: number;
}

/** A kind of value of an environment variable, read from its text. */
export interface Kind<Value, Given = string> {
  readonly schema: z.ZodType<Value, string>;
  /** What a program may pass instead, which is then written as a text. */
  readonly given: z.ZodType<Given>;
  /** Completes the sentence "NAME must be". */
  readonly legal: string;
}

const numberOrText = z.union([z.number(), z.string()]);

/** Stands for the server's own address, known only once host and port have been read. */
export const OWN_URL = "http://HOST:PORT";

export const port = wholeNumber({ from: 0, to: 65535 });
export const days = wholeNumber({ from: 1, to: 3650, unit: "of days" });
export const drainSeconds = wholeNumber({ from: 0, to: 300, unit: "of seconds" });
export const seconds = wholeNumber({ from: 1, to: 3600, unit: "of seconds" });
const hops = wholeNumber({ from: 1, to: 32, unit: "of proxies" });

export const metricsPort: Kind<number | undefined, number> = {
  ...port,
  schema: z.union([z.literal("off").transform(() => undefined), port.schema]),
  legal: `off or ${port.legal}`,
};

/** Without brackets, for IPv6 too. */
export const host = textKind(readHost, "an IPv4 address, an IPv6 address or a host name, without a port");

/** Without a slash at its end. */
export const publicUrl = textKind(
  readPublicUrl,
  "an http:// or https:// URL without user name, query and fragment; a path in it has only letters, digits and ._~-",
);

export const databaseUrl = textKind(
  readDatabaseUrl,
  "the path of a SQLite file without quotes, ~, $NAME and %NAME%, which nothing replaces, or a postgres:// URL",
);

export const trust: Kind<Trust, number | string> = {
  given: numberOrText,
  schema: z.union([
    z.literal("none"),
    hops.schema.transform((count) => ({ hops: count })),
    textKind(readRanges, "").schema,
  ]),
  legal: `none, ${hops.legal}, or CIDR ranges such as 10.0.0.0/8,fd00::/8`,
};

export const sizeBytes = sizeKind(readSize, "of at least 1 byte");

/** One of a few words. */
export function oneOf<const Word extends string>(...words: readonly Word[]): Kind<Word, Word> {
  const schema = z.enum(words);
  return { schema, given: schema, legal: `${words.slice(0, -1).join(", ")} or ${words.at(-1)}` };
}

export function wholeNumber(range: { from: number; to: number; unit?: string }): Kind<number, number> {
  const { from, to, unit } = range;
  const noun = unit === undefined ? "a whole number" : `a whole number ${unit}`;
  const digits = z.string().regex(/^\d{1,9}$/);
  return {
    schema: digits.transform(Number).pipe(z.number().min(from).max(to)),
    given: z.number(),
    legal: `${noun} from ${from} to ${to}`,
  };
}

/** The number of workers, or one for each core. */
export function workers({ cores }: Machine): Kind<number, number> {
  const count = wholeNumber({ from: 1, to: 256 });
  return {
    ...count,
    schema: z.union([z.literal("cores").transform(() => cores), count.schema]),
    legal: `cores (one for each core) or ${count.legal}`,
  };
}

/** An amount of memory, in bytes or as a part of what the machine or container has. */
export function memory(machine: Machine): Kind<number, number | string> {
  const { legal, ...kind } = sizeKind((text) => readMemory(text, machine), "of at least 1 MiB");
  return { ...kind, legal: `${legal}, or 1% to 100% of the memory of machine or container` };
}

/** A size in bytes that `read` accepts; `range` describes which ones. */
export function sizeKind(
  read: (text: string) => number | null,
  range: string,
): Kind<number, number | string> {
  const legal = `a size ${range}, in bytes or with KB, MB, GB, TB, KiB, MiB, GiB or TiB`;
  return { ...textKind(read, legal), given: numberOrText };
}

/** A kind whose texts `read` understands; it returns null for others. */
export function textKind<Value>(read: (text: string) => Value | null, legal: string): Kind<Value> {
  const schema = z.string().transform((text, context) => {
    const value = read(text);
    if (value !== null) return value;
    context.issues.push({ code: "custom", input: text });
    return z.NEVER;
  });
  return { schema, given: z.string(), legal };
}

// The last label has a letter: "1.2.3" and "256.1.1.1" are mistyped addresses.
const HOST_NAME = /^(?:[a-z\d_-]{1,63}\.)*(?=[\d_-]*[a-z])[a-z\d_-]{1,63}$/i;

function readHost(text: string): string | null {
  const name = /^\[(.*:.*)\]$/.exec(text)?.[1] ?? text;
  return isAddress(name) || (HOST_NAME.test(name) && URL.canParse(`http://${name}`)) ? name : null;
}

function readPublicUrl(text: string): string | null {
  if (text === OWN_URL) return text;
  if (!/^https?:\/\/[^\s\\?#]+$/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  // The path becomes part of the routes' patterns.
  const isPlain = /^(\/[\w.~-]+)*\/*$/.test(url.pathname);
  return url.username || url.password || !isPlain ? null : url.href.replace(/\/+$/, "");
}

// No shell expands the variables of an env file or a systemd unit: a folder called "$HOME" would be made.
const SHELL_SYNTAX = /^~(?:[\\/]|$)|\$[a-z_({]|%\w+%|^\p{Quotation_Mark}|\p{Quotation_Mark}$/iu;

function readDatabaseUrl(text: string): string | null {
  // URLs are parsed without the line breaks in them, but a file of several lines is a mistake.
  if (/\p{Cc}/u.test(text)) return null;
  if (/^postgres(?:ql)?:\/\//.test(text)) return URL.canParse(text) ? text : null;
  // Another scheme is a mistake, unlike ":memory:" and "C:\data\service.db".
  return /^[a-z][a-z\d+.-]+:/i.test(text) || SHELL_SYNTAX.test(text) ? null : text;
}

function readRanges(text: string): { ranges: string[] } | null {
  const ranges = text.split(",").map((range) => range.trim());
  return ranges.every(isRange) ? { ranges } : null;
}

const SIZE_TEXT = /^(\d{1,16}(?:\.\d{1,6})?) ?(?:([kmgt])(i?)b|b)?$/i;
const POWERS = ["b", "k", "m", "g", "t"];

// KB is a thousand bytes and KiB 1,024, as in IEC 80000-13.
export function readSize(text: string): number | null {
  const [, number, letter = "b", binary] = SIZE_TEXT.exec(text) ?? [];
  const unit = (binary ? 1024 : 1000) ** POWERS.indexOf(letter.toLowerCase());
  const bytes = Math.floor(Number(number) * unit);
  return bytes >= 1 && Number.isSafeInteger(bytes) ? bytes : null;
}

function readMemory(text: string, { memoryBytes }: Machine): number | null {
  const percent = Number(/^(\d{1,3}(?:\.\d{1,3})?) ?%$/.exec(text)?.[1]);
  if (percent >= 1 && percent <= 100) return Math.floor((memoryBytes * percent) / 100);
  const bytes = readSize(text);
  // Less than 1 MiB must be a forgotten unit.
  return bytes !== null && bytes >= 1024 ** 2 ? bytes : null;
}

interface VariableFacts {
  /** Written as in the environment, and read in the same way. */
  readonly fallback: string;
  readonly meaning: string;
  /** More about it for docs/operations.md, as Markdown. */
  readonly more?: string;
  /** The value may contain a password, so no sentence quotes it. */
  readonly isSecret?: true;
  /** Whether NAME_FILE may name a file with the value, as containers pass secrets. */
  readonly hasFile?: true;
}

/** An environment variable: how it is read, and what help, guide and errors say about it. */
export type Variable<Value, Given> = Kind<Value, Given> & VariableFacts;

export function variable<Value, Given>(
  kind: Kind<Value, Given>,
  about: VariableFacts,
): Variable<Value, Given> {
  return { ...kind, ...about };
}
