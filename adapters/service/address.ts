import ipaddr from "ipaddr.js";
import type { CallerAddress } from "../../router/context.ts";

/** Whose X-Forwarded-For counts: nobody's, that of the last `hops` proxies, or of proxies in CIDR ranges. */
export type Trust = "none" | { hops: number } | { ranges: readonly string[] };

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const UNKNOWN = new ipaddr.IPv4([0, 0, 0, 0]);

// The longest address has 45 characters, plus brackets, a zone and a port. Callers write the header, and some of the
// expressions below take quadratic time.
const MAX_LENGTH = 100;

/**
 * The caller's address in its canonical form (RFC 5952), without port and zone; IPv4 inside IPv6 (`::ffff:0:0/96`) as
 * IPv4. X-Forwarded-For is read from the right, as far as its writers are trusted; a part that is not an address ends
 * the reading. A socket without an address (a Unix one) is 0.0.0.0.
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
  return (address ?? UNKNOWN).toString();
}

/**
 * The forms of an address for limits and usage: the address or its /64; the /48 around an IPv6 address, which one
 * customer may have; and the address with its last part set to zero, the last octet of IPv4 or all after 48 bits. IPv4
 * inside IPv6 is IPv4.
 */
export function toCallerAddress(address: string): CallerAddress {
  const exact = reduceToIPv4(readHop(address) ?? UNKNOWN);
  if (isIPv4(exact)) return { rate: exact.toString(), usage: keepBits(exact, 24).toString() };
  const site = keepBits(exact, 48).toString();
  return { rate: `${keepBits(exact, 64)}/64`, site: `${site}/48`, usage: site };
}

/** Whether a text is an IPv4 or IPv6 address and nothing more: no port, no brackets, no zone. */
export function isAddress(text: string): boolean {
  return parseAddress(text) !== undefined;
}

/** Whether a text is a range such as `10.0.0.0/8`, `fd00::/8`, or one address. */
export function isRange(text: string): boolean {
  return parseRange(text) !== undefined;
}

/** Whether an address is inside of any of these ranges. */
export function isInRanges(text: string, ranges: readonly string[]): boolean {
  const address = readHop(text);
  return ranges.map(parseRange).some((range) => range && address && isInside(address, range));
}

/** All of IPv4, and what IANA gives out of IPv6 (RFC 4291, 2.4). */
const GIVEN_OUT = ["0.0.0.0/0", "2000::/3"];

/** Whether an address belongs to the public Internet: not to a machine, a private network or another special range. */
export function isPublicAddress(text: string): boolean {
  return readHop(text)?.range() === "unicast" && isInRanges(text, GIVEN_OUT);
}

function trustIn(trust: Exclude<Trust, "none">): (address: Address | undefined, index: number) => boolean {
  if ("hops" in trust) return (_, index) => index < trust.hops;
  const ranges = trust.ranges.map(parseRange);
  return (address) => ranges.some((range) => range && address && isInside(address, range));
}

interface Range {
  readonly start: Address;
  readonly bits: number;
}

function isInside(address: Address, { start, bits }: Range): boolean {
  return address.kind() === start.kind() && address.match(start, bits);
}

function parseRange(text: string): Range | undefined {
  const [, host = "", length] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const whole = parseAddress(host);
  if (whole === undefined) return undefined;
  const size = isIPv4(whole) ? 32 : 128;
  const bits = length === undefined ? size : Number(length);
  if (bits > size) return undefined;
  const start = bits < 96 ? whole : unmap(whole);
  return { start, bits: start === whole ? bits : bits - 96 };
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
  if (text.includes(":")) return parseIPv6(text);
  return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined;
}

function parseIPv6(text: string): ipaddr.IPv6 | undefined {
  const groups = writeInGroups(text);
  try {
    return groups === undefined ? undefined : ipaddr.IPv6.parse(groups);
  } catch {
    return undefined;
  }
}

// ipaddr.js 2.5 takes "::192.0.2.1" for "::ffff:192.0.2.1" and reads octal in such an ending, so it is given groups
// only. A proxy and we must not read one text as two addresses.
function writeInGroups(text: string): string | undefined {
  if (text.includes("%")) return undefined;
  const [end = ""] = /[^:]*\.[^:]*$/.exec(text) ?? [];
  if (end === "") return text;
  if (!ipaddr.IPv4.isValidFourPartDecimal(end)) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = ipaddr.IPv4.parse(end).octets;
  const groups = [(a << 8) | b, (c << 8) | d].map((group) => group.toString(16));
  return text.slice(0, -end.length) + groups.join(":");
}

function isIPv4(address: Address): address is ipaddr.IPv4 {
  return address.kind() === "ipv4";
}

function keepBits(address: Address, bits: number): Address {
  const kept = address.toByteArray().map((byte, index) => byte & (0xff00 >> clamp(bits - index * 8)));
  return ipaddr.fromByteArray(kept);
}

function clamp(bits: number): number {
  return Math.min(8, Math.max(0, bits));
}

const MAPPED = ipaddr.IPv6.parse("::ffff:0:0");
const NAT64 = ipaddr.IPv6.parse("64:ff9b::");
const SIX_TO_FOUR = ipaddr.IPv6.parse("2002::");

// RFC 4291, section 2.5.5.2. The library's own check goes through all special ranges, which takes 10 µs.
function unmap(address: Address): Address {
  return !isIPv4(address) && address.match(MAPPED, 96)
    ? new ipaddr.IPv4(address.toByteArray().slice(12))
    : address;
}

// RFC 6052, section 2.1 (64:ff9b::/96), and RFC 3056, section 2 (2002::/16).
function reduceToIPv4(address: Address): Address {
  if (isIPv4(address)) return address;
  const bytes = address.toByteArray();
  if (address.match(NAT64, 96)) return new ipaddr.IPv4(bytes.slice(12));
  return address.match(SIX_TO_FOUR, 16) ? new ipaddr.IPv4(bytes.slice(2, 6)) : address;
}
