import { lookup as lookUp } from "node:dns/promises";
import { request as requestPlain, type IncomingMessage } from "node:http";
import { request as requestTls } from "node:https";
import { isIP } from "node:net";
import { hostOf, isAllowedAddress, type NotifyHosts } from "../../config/notify-hosts.ts";
import { WebhookError, type Answer } from "../outbox/deliver.ts";

const TIMEOUT_MS = 15_000;

/** The request to a hook. */
export interface HookCall {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface HookNetwork extends Pick<NotifyHosts, "ranges"> {
  /** The addresses of a name. */
  readonly lookup?: (name: string) => Promise<readonly string[]>;
  /** Additional certificate authorities; tests have one. */
  readonly ca?: string;
  /** How long a call may take; 15,000 by default. */
  readonly timeoutMs?: number;
}

/**
 * Calls the host of a URL at an address that was just looked up and allowed, and at no other: a name whose address
 * changes in between (DNS rebinding) leads nowhere else. Redirects are not followed.
 * @throws WebhookError hook_address, hook_unreachable
 */
export async function callHook(call: HookCall, network: HookNetwork): Promise<Answer> {
  const signal = AbortSignal.timeout(network.timeoutMs ?? TIMEOUT_MS);
  const work = findAddress(call.url, network).then((address) =>
    send(call, { address, signal, ca: network.ca }),
  );
  try {
    return await rejectOnAbort(signal, work);
  } catch (error) {
    throw error instanceof WebhookError ? error : new WebhookError("hook_unreachable");
  }
}

/** Rejects when the signal aborts, even if the work goes on. */
function rejectOnAbort<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

async function findAddress(url: URL, { lookup = addressesOf, ...hosts }: HookNetwork): Promise<string> {
  const name = hostOf(url);
  const addresses = isIP(name) ? [name] : await lookup(name);
  const fit = addresses.find((address) => isAllowedAddress(address, url, hosts));
  if (fit === undefined) throw new WebhookError(addresses.length > 0 ? "hook_address" : "hook_unreachable");
  return fit;
}

async function addressesOf(name: string): Promise<string[]> {
  return (await lookUp(name, { all: true, verbatim: true })).map(({ address }) => address);
}

function send(
  { url, headers, body }: HookCall,
  { address, signal, ca }: { address: string; signal: AbortSignal; ca: string | undefined },
): Promise<Answer> {
  const isTls = url.protocol === "https:";
  const data = Buffer.from(body);
  const name = hostOf(url);
  const options = {
    method: "POST",
    host: address,
    port: url.port || (isTls ? 443 : 80),
    path: url.pathname + url.search,
    // The certificate is checked for the host name. SNI must not contain an IP address (RFC 6066, 3).
    ...(isTls && !isIP(name) && { servername: name }),
    ...(ca !== undefined && { ca }),
    headers: { ...headers, host: url.host, "content-length": data.length },
    // A kept connection would be reused for another name at the same address.
    agent: false as const,
    signal,
  };
  return new Promise((resolve, reject) => {
    const sent = (isTls ? requestTls : requestPlain)(options, (response: IncomingMessage) => {
      resolve({ status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"] ?? null });
      // The answer's content does not matter; it may be endless or break off.
      response.on("error", () => {});
      response.destroy();
    });
    sent.on("error", reject);
    sent.end(data);
  });
}
