import { isAddress, isRange, type Trust } from "../http/address.ts";

export type Machine = { readonly memoryBytes: number; readonly cores: number };

/** A kind of value that a variable of the environment can have. */
export type Kind<Value> = {
  /** Ends the sentence "NAME must be". */
  readonly legal: string;
  /** The value of a text, null when it is not legal. */
  readonly read: (text: string, machine: Machine) => Value | null;
};

/** Stands for the address that is listened on, which is known only when host and port have been read. */
export const OWN_URL = "http://HOST:PORT";

export const PORT = wholeNumber({ from: 0, to: 65535 });
const HOPS = wholeNumber({ from: 1, to: 32, unit: "of proxies" });
const WORKERS = wholeNumber({ from: 1, to: 256 });
const SIZE = "in bytes or with KB, MB, GB, TB, KiB, MiB, GiB or TiB";

export const METRICS_PORT: Kind<number | undefined> = {
  legal: `off or ${PORT.legal}`,
  read: (text) => (text === "off" ? undefined : PORT.read(text)),
};

export const HOST: Kind<string> = {
  legal: "an IPv4 address, an IPv6 address or a host name, without a port",
  read: readHost,
};

export const PUBLIC_URL: Kind<string> = {
  legal: "an http:// or https:// URL without user name, query and fragment",
  read: readPublicUrl,
};

export const DATABASE_URL: Kind<string> = {
  legal: "the path of a SQLite file, or a postgres:// URL",
  read: readDatabaseUrl,
};

export const TRUST: Kind<Trust> = {
  legal: `none, ${HOPS.legal}, or CIDR ranges such as 10.0.0.0/8,fd00::/8`,
  read: readTrust,
};

export const REGISTRATION: Kind<"open" | "closed"> = {
  legal: "open or closed",
  read: (text) => (text === "open" || text === "closed" ? text : null),
};

export const CORES: Kind<number> = {
  legal: `cores (one for each core) or ${WORKERS.legal}`,
  read: (text, { cores }) => (text === "cores" ? cores : WORKERS.read(text)),
};

export const SIZE_BYTES: Kind<number> = { legal: `a size of at least 1 byte, ${SIZE}`, read: readSize };

export const MEMORY_BYTES: Kind<number> = {
  legal: `a size of at least 1 MiB, ${SIZE}, or 1% to 100% of the memory of machine or container`,
  read: readMemory,
};

export function wholeNumber({ from, to, unit }: { from: number; to: number; unit?: string }) {
  const noun = unit === undefined ? "a whole number" : `a whole number ${unit}`;
  function read(text: string): number | null {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    return number >= from && number <= to ? number : null;
  }
  return { legal: `${noun} from ${from} to ${to}`, read };
}

// The last label has a letter: "1.2.3" and "256.1.1.1" are meant as addresses.
const HOST_NAME = /^(?:[a-z\d_-]{1,63}\.)*(?=[\d_-]*[a-z])[a-z\d_-]{1,63}$/i;

function readHost(text: string): string | null {
  const host = /^\[(.*:.*)\]$/.exec(text)?.[1] ?? text;
  return isAddress(host) || (HOST_NAME.test(host) && URL.canParse(`http://${host}`)) ? host : null;
}

function readPublicUrl(text: string): string | null {
  if (text === OWN_URL) return text;
  if (!/^https?:\/\/[^\s\\?#]+$/i.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.username || url.password ? null : url.href.replace(/\/+$/, "");
}

function readDatabaseUrl(text: string): string | null {
  if (/^postgres(?:ql)?:\/\//.test(text)) return URL.canParse(text) ? text : null;
  // Another scheme is a mistake, unlike ":memory:" and "C:\data\service.db".
  return /^[a-z][a-z\d+.-]+:/i.test(text) || text.includes("\0") ? null : text;
}

function readTrust(text: string): Trust | null {
  if (text === "none") return text;
  const hops = HOPS.read(text);
  if (hops !== null) return { hops };
  const ranges = text.split(",").map((range) => range.trim());
  return ranges.every(isRange) ? { ranges } : null;
}

const SIZE_TEXT = /^(\d{1,16}(?:\.\d{1,6})?) ?(?:([kmgt])(i?)b|b)?$/i;
const POWERS = ["b", "k", "m", "g", "t"];

// KB counts in thousands and KiB in 1,024s, as IEC 80000-13 has it.
function readSize(text: string): number | null {
  const [, number, letter = "b", binary] = SIZE_TEXT.exec(text) ?? [];
  const unit = (binary ? 1024 : 1000) ** POWERS.indexOf(letter.toLowerCase());
  const bytes = Math.floor(Number(number) * unit);
  return bytes >= 1 && Number.isSafeInteger(bytes) ? bytes : null;
}

function readMemory(text: string, { memoryBytes }: Machine): number | null {
  const percent = Number(/^(\d{1,3}(?:\.\d{1,3})?) ?%$/.exec(text)?.[1]);
  if (percent >= 1 && percent <= 100) return Math.floor((memoryBytes * percent) / 100);
  const bytes = readSize(text);
  // Less than 1 MiB can only be a forgotten unit.
  return bytes !== null && bytes >= 1024 ** 2 ? bytes : null;
}
