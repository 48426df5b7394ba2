import { isAddress, isInRanges, isPublicAddress, isRange } from "../service/address.ts";
import { orNone } from "./instance-values.ts";
import { textKind, type Kind } from "./values.ts";

/** The hosts at which members may have hooks. */
export interface NotifyHosts {
  /** As they were written. */
  readonly names: readonly string[];
  readonly hosts: readonly Host[];
  /** Private addresses that names may resolve to. */
  readonly ranges: readonly string[];
}

interface Host {
  /** Without brackets; `*.` matches one or more labels. */
  readonly name: string;
  /** Undefined for any port. */
  readonly port: string | undefined;
}

/** Hosts with or without a port, addresses, and ranges of addresses. */
export const notifyHosts: Kind<NotifyHosts | undefined> = orNone(
  textKind(
    readHosts,
    "up to 50 hosts with commas between, such as ntfy.sh, ntfy.example:8443 or *.logic.azure.com, and for private " +
      "ones their addresses or CIDR ranges, such as 10.0.0.5 or 10.0.0.0/8",
  ),
);

const MOST = 50;
// A wildcard needs at least two labels after it: *.com would allow nearly everybody.
const NAME = /^(\*\.(?=[^.]+\.))?(?:[a-z\d-]{1,63}\.)*(?=[\d-]*[a-z])[a-z\d-]{1,63}$/;
/** localhost never means another machine (RFC 6761, 6.3). */
const LOOPBACK = ["127.0.0.0/8", "::1"];
const PORT = /^(.*?)(?::(\d{1,5}))?$/;

function readHosts(text: string): NotifyHosts | null {
  const names = text.split(",").map((name) => name.trim().toLowerCase());
  const read = names.map(readHost);
  if (names.length > MOST || read.includes(null)) return null;
  const parts = read.filter((part) => part !== null);
  return {
    names,
    hosts: parts.flatMap(({ host }) => host ?? []),
    ranges: parts.flatMap(({ ranges = [] }) => ranges),
  };
}

function readHost(text: string): { host?: Host; ranges?: readonly string[] } | null {
  if (text.includes("/")) return isRange(text) ? { ranges: [text] } : null;
  if (isAddress(text)) return { host: { name: text, port: undefined }, ranges: [text] };
  const [, given = "", port] = PORT.exec(text) ?? [];
  const name = /^\[(.*)\]$/.exec(given)?.[1] ?? given;
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return null;
  if (isAddress(name)) return { host: { name, port }, ranges: [name] };
  if (name === "localhost") return { host: { name, port }, ranges: LOOPBACK };
  return NAME.test(name) ? { host: { name, port } } : null;
}

/** Whether a member's hook may have this URL. */
export function isAllowed(url: URL, { hosts }: NotifyHosts): boolean {
  const { protocol, port } = url;
  const name = hostOf(url);
  return hosts.some(
    (host) =>
      isName(name, host.name) && (host.port === undefined || host.port === (port || portOf(protocol))),
  );
}

/**
 * Whether the address that a URL's host resolves to may be called. Without TLS others could read the call, so http is
 * allowed only to addresses that the operator has listed.
 */
export function isAllowedAddress(
  address: string,
  { protocol }: URL,
  { ranges }: Pick<NotifyHosts, "ranges">,
): boolean {
  return isInRanges(address, ranges) || (protocol === "https:" && isPublicAddress(address));
}

/** The host of a URL, without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, "$1");
}

function portOf(protocol: string): string {
  return protocol === "https:" ? "443" : "80";
}

function isName(name: string, allowed: string): boolean {
  if (isAddress(name)) return isAddress(allowed) && isInRanges(name, [allowed]);
  return allowed.startsWith("*.") ? name.endsWith(allowed.slice(1)) : name === allowed;
}
