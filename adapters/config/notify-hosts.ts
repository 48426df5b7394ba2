import { isAddress, isInRanges, isPublicAddress, isRange } from "../service/address.ts";
import { orNone } from "./instance-values.ts";
import { reading, type Kind } from "./values.ts";

/** Where members may have themselves told what becomes of their secrets. */
export interface NotifyHosts {
  /** As they were written. */
  readonly names: readonly string[];
  readonly hosts: readonly Host[];
  /** Addresses that names may lead to although they are private. */
  readonly ranges: readonly string[];
}

interface Host {
  /** Without brackets; `*.` stands for one or more labels. */
  readonly name: string;
  /** Any, without one. */
  readonly port: string | undefined;
}

/** Hosts with or without a port, addresses, and ranges of addresses. */
export const notifyHosts: Kind<NotifyHosts | undefined> = orNone(
  reading(
    readHosts,
    "up to 50 hosts with commas between, such as ntfy.sh, ntfy.example:8443 or *.logic.azure.com, and for private " +
      "ones their addresses or CIDR ranges, such as 10.0.0.5 or 10.0.0.0/8",
  ),
);

const MOST = 50;
// A wildcard stands above two labels at least: *.com would be nearly everybody.
const NAME = /^(\*\.(?=[^.]+\.))?(?:[a-z\d-]{1,63}\.)*(?=[\d-]*[a-z])[a-z\d-]{1,63}$/;
/** Nobody means another machine by localhost (RFC 6761, 6.3). */
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

/** Whether a member's hook may be there, by what its URL says. */
export function isAllowed({ protocol, hostname, port }: URL, { hosts }: NotifyHosts): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, "$1");
  return hosts.some(
    (host) =>
      isName(name, host.name) && (host.port === undefined || host.port === (port || portOf(protocol))),
  );
}

/**
 * Whether an address that such a URL leads to may be called. Without TLS others on the way read the call: so only where the
 * operator has named the very address.
 */
export function isFit(address: string, { protocol }: URL, { ranges }: Pick<NotifyHosts, "ranges">): boolean {
  return isInRanges(address, ranges) || (protocol === "https:" && isPublicAddress(address));
}

function portOf(protocol: string): string {
  return protocol === "https:" ? "443" : "80";
}

function isName(name: string, allowed: string): boolean {
  if (isAddress(name)) return isAddress(allowed) && isInRanges(name, [allowed]);
  return allowed.startsWith("*.") ? name.endsWith(allowed.slice(1)) : name === allowed;
}
