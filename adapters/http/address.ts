/** Whose X-Forwarded-For counts: nobody's, that of the last so many proxies, or that of proxies in CIDR ranges. */
export type Trust = "none" | { hops: number } | { ranges: readonly string[] };

/** The bytes of an address in network order: 4, or 16. */
type Address = readonly number[];

const UNKNOWN: Address = [0, 0, 0, 0];

// The longest address has 45 signs, brackets, a zone and a port come on top. The header is the caller's, and
// some of the expressions below take quadratic time.
const MAX_LENGTH = 100;

/**
 * The address of the caller, in its canonical text (RFC 5952) and without port and zone; IPv4 inside IPv6
 * (`::ffff:0:0/96`) as IPv4. X-Forwarded-For is read from the right, as far as those who wrote it are trusted; a
 * part that is no address ends the reading. A socket without an address (a Unix one) is 0.0.0.0.
 */
export function readAddress(options: { socket: string; forwardedFor: string | null; trust: Trust }): string {
  const { forwardedFor, trust } = options;
  let address = readHop(options.socket);
  if (forwardedFor !== null && trust !== "none") {
    const isTrusted = trustIn(trust);
    for (const [index, hop] of forwardedFor.split(",").reverse().entries()) {
      if (!isTrusted(address, index)) break;
      const next = readHop(hop.trim());
      if (next === undefined) break;
      address = next;
    }
  }
  return formatAddress(address ?? UNKNOWN);
}

/** What calls are counted under: an IPv4 address, also one inside IPv6, or the /64 of an IPv6 address. */
export function rateKey(address: string): string {
  const bytes = reduceToIPv4(readHop(address) ?? UNKNOWN);
  return bytes.length === 4 ? formatAddress(bytes) : `${formatAddress(keepBits(bytes, 64))}/64`;
}

/** The address with its last part zero: the last octet of IPv4, also inside IPv6, or all after 48 bits. */
export function zeroLastPart(address: string): string {
  const bytes = reduceToIPv4(readHop(address) ?? UNKNOWN);
  return formatAddress(keepBits(bytes, bytes.length === 4 ? 24 : 48));
}

/** Whether a text is an IPv4 or IPv6 address and nothing more: no port, no brackets, no zone. */
export function isAddress(text: string): boolean {
  return parseAddress(text) !== undefined;
}

/** Whether a text is a range such as `10.0.0.0/8`, `fd00::/8`, or one address. */
export function isRange(text: string): boolean {
  return parseRange(text) !== undefined;
}

function trustIn(trust: Exclude<Trust, "none">): (address: Address | undefined, index: number) => boolean {
  if ("hops" in trust) return (_, index) => index < trust.hops;
  const ranges = trust.ranges.map(parseRange);
  return (address) => ranges.some((range) => range && address && isInside(address, range));
}

function isInside(address: Address, range: { start: Address; bits: number }): boolean {
  if (address.length !== range.start.length) return false;
  const start = keepBits(range.start, range.bits);
  return keepBits(address, range.bits).every((byte, index) => byte === start[index]);
}

function parseRange(text: string): { start: Address; bits: number } | undefined {
  const [, host = "", length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const whole = parseAddress(host);
  if (whole === undefined) return undefined;
  const bits = length === undefined ? whole.length * 8 : Number(length);
  if (bits > whole.length * 8) return undefined;
  const start = bits < 96 ? whole : unmap(whole);
  return { start, bits: bits - (whole.length - start.length) * 8 };
}

// "192.0.2.1", "192.0.2.1:443", "2001:db8::1", "fe80::1%eth0", "[2001:db8::1]", "[2001:db8::1]:443"
function readHop(text: string): Address | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const [, inBrackets, dotted] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? [];
  if (inBrackets !== undefined && !inBrackets.includes(":")) return undefined;
  const address = parseAddress(dotted ?? (inBrackets ?? text).replace(/(?<=:.*)%[\w.~-]+$/, ""));
  return address && unmap(address);
}

function parseAddress(text: string): Address | undefined {
  return text.includes(":") ? parseIPv6(text) : parseIPv4(text);
}

// No leading zeros: some readers take them for octal.
function parseIPv4(text: string): Address | undefined {
  const parts = text.split(".");
  const isRight = parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part));
  const bytes = parts.map(Number);
  return isRight && bytes.every((byte) => byte < 256) ? bytes : undefined;
}

// RFC 4291, section 2.2. "::" stands for at least one group.
function parseIPv6(text: string): Address | undefined {
  const halves = text.split("::");
  const [head, tail] = halves.map((half, index) => readGroups(half, index === halves.length - 1));
  if (head === undefined || halves.length > 2) return undefined;
  if (halves.length === 1) return head.length === 16 ? head : undefined;
  if (tail === undefined || head.length + tail.length > 14) return undefined;
  return [...head, ...new Array<number>(16 - head.length - tail.length).fill(0), ...tail];
}

function readGroups(text: string, mayEndDotted: boolean): Address | undefined {
  if (text === "") return [];
  const groups = text.split(":");
  const last = groups.at(-1) ?? "";
  const dotted = mayEndDotted && last.includes(".") ? parseIPv4(last) : [];
  const plain = dotted?.length === 4 ? groups.slice(0, -1) : groups;
  if (dotted === undefined || !plain.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
  const numbers = plain.map((group) => Number.parseInt(group, 16));
  return [...numbers.flatMap((number) => [number >> 8, number & 255]), ...dotted];
}

function keepBits(address: Address, bits: number): Address {
  return address.map((byte, index) => byte & (0xff00 >> Math.min(8, Math.max(0, bits - index * 8))));
}

const MAPPED = [...new Array<number>(10).fill(0), 0xff, 0xff];
const NAT64 = [0, 0x64, 0xff, 0x9b, ...new Array<number>(8).fill(0)];
const SIX_TO_FOUR = [0x20, 0x02];

function startsWith(address: Address, prefix: readonly number[]): boolean {
  return address.length === 16 && prefix.every((byte, index) => byte === address[index]);
}

// RFC 4291, section 2.5.5.2.
function unmap(address: Address): Address {
  return startsWith(address, MAPPED) ? address.slice(12) : address;
}

// RFC 6052, section 2.1 (64:ff9b::/96), and RFC 3056, section 2 (2002::/16).
function reduceToIPv4(address: Address): Address {
  if (startsWith(address, NAT64)) return address.slice(12);
  return startsWith(address, SIX_TO_FOUR) ? address.slice(2, 6) : address;
}

// RFC 5952, section 4: no leading zeros, small letters, "::" for the first of the longest runs of two or more
// zero groups.
function formatAddress(address: Address): string {
  if (address.length === 4) return address.join(".");
  const groups = address.flatMap((byte, index) =>
    index % 2 ? [] : [(byte << 8) | (address[index + 1] ?? 0)],
  );
  const text = groups.map((group) => group.toString(16)).join(":");
  const runs = text.match(/\b0(?::0)+\b/g) ?? [];
  const longest = runs.reduce((best, run) => (run.length > best.length ? run : best), "");
  return longest === "" ? text : text.replace(new RegExp(`(?:^|:)\\b${longest}\\b(?::|$)`), "::");
}
