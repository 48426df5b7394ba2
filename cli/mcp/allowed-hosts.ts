import { CliError, usageError } from "../exit.ts";
import { checkUrl, namedServer } from "../server/connect.ts";
import type { Io } from "../terminal/io.ts";

/** The hosts that a model may contact. */
export interface AllowedHosts {
  /** @throws CliError usage where the value of this parameter leads to another host; nothing is sent then */
  readonly check: (parameter: string, address: string) => Promise<void>;
  /**
   * Contacts only these hosts: redirects are returned, for the caller to follow in another call.
   * @throws CliError usage
   */
  readonly fetch: Io["fetch"];
}

interface Host {
  readonly name: string;
  /** Undefined for the default ports of both https and http. */
  readonly port: string | undefined;
}

/**
 * Allows the hosts of --allow-host, and the server of HUSHKIT_URL or of the login by its origin.
 * @throws CliError usage for an invalid host
 */
export function allowHosts(io: Io, hosts: readonly string[]): AllowedHosts {
  const allowed = hosts.map(readHost);
  const isAllowed = (url: URL, origin: string | undefined) =>
    url.origin === origin || allowed.some((host) => isHost(url, host));
  const checkAddress = async (address: string, subject: string) => {
    // The user may log in after the start.
    const server = await namedServer(io).catch(() => undefined);
    const origin = server && new URL(server.url).origin;
    if (!isAllowed(new URL(address), origin)) throw notAllowed(subject, [origin, ...hosts]);
  };
  return {
    check: async (parameter, address) => checkAddress(checkUrl(address), `Parameter "${parameter}"`),
    fetch: async (input, init) => {
      await checkAddress(input instanceof Request ? input.url : String(input), "This call");
      return io.fetch(input, { ...init, redirect: "manual" });
    },
  };
}

/** Compares by the default ports of https and http where an address names no port. */
function isHost({ hostname, port, protocol }: URL, host: Host): boolean {
  const standard = protocol === "https:" ? "443" : "80";
  return hostname === host.name && (host.port === undefined || host.port === (port || standard));
}

function readHost(text: string): Host {
  const [, port] = /:(\d{1,5})$/.exec(text) ?? [];
  const url = /^[^/\\?#@\s]+$/.test(text) ? URL.parse(`https://${text}`) : null;
  if (url) return { name: url.hostname, port: port === undefined ? undefined : String(Number(port)) };
  throw usageError(
    "--allow-host takes a host such as hush.example, or one with its port: hush.example:8443.",
  );
}

function notAllowed(subject: string, allowed: readonly (string | undefined)[]): CliError {
  const hosts = allowed.filter((host) => host !== undefined);
  const legal = hosts.length > 0 ? `only ${hosts.join(", ")}` : "none, since HUSHKIT_URL names no server";
  return usageError(
    `${subject} leads to a host that may not be asked. Allowed is ${legal}; \`hushkit mcp --allow-host HOST\` allows another one.`,
  );
}
