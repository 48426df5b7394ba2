import { codeOf, usageError } from "../exit.ts";
import type { Io } from "../terminal/io.ts";

/** Options of fetch that only Deno and Bun know. */
interface RuntimeFields {
  client?: unknown;
  tls?: { ca: string[] };
}

/** How this process reaches servers: with the runtime's fetch, which uses the proxies that the environment names. */
export function createNetwork(env: Io["env"]): Pick<Io, "fetch" | "trust"> {
  const fields: RuntimeFields = {};
  let isPrepared = false;
  return {
    fetch: async (input, init) => {
      if (!isPrepared) await useProxies(env, () => (isPrepared = false));
      isPrepared = true;
      try {
        // Read when it is used: Node loads its fetch at the first access.
        return await globalThis.fetch(input, { ...init, ...fields });
      } catch (error) {
        if (init?.signal?.aborted || !isOfNetwork(error)) throw error;
        const { explainError } = await import("../../client/answers/not-hushkit.ts");
        const url = input instanceof Request ? input.url : String(input);
        throw await explainError(error, { url, proxy: proxyFor(new URL(url), env) });
      }
    },
    trust: async (certificates) => void Object.assign(fields, await trustAlso(certificates)),
  };
}

/** Bun 1.4 tells of a proxy that refuses by no TypeError, as the standard of fetch has it for all failures. */
function isOfNetwork(error: unknown): error is Error {
  return error instanceof TypeError || (error instanceof Error && codeOf(error) === "ERR_PROXY_TUNNEL");
}

// Deno and Bun read the environment by themselves. `onGivenUp` is called when the proxies have to be set anew.
async function useProxies(env: Io["env"], onGivenUp: () => void): Promise<void> {
  const names = ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"];
  if (process.versions.deno || process.versions.bun || !names.some((name) => env[name])) return;
  const { setGlobalProxyFromEnv } = await import("node:http");
  try {
    // From Node 24.14 on; before, NODE_USE_ENV_PROXY=1 does it, from 22.21 on.
    setGlobalProxyFromEnv?.({ ...env });
  } catch {
    const message =
      "The proxy of HTTP_PROXY or HTTPS_PROXY is not an address; one looks like http://proxy.example:3128.";
    throw usageError(message);
  }
  await giveUpOnClosed(onGivenUp);
}

/**
 * Fetch of Node 24.21 asks a proxy that closes the connection again and again, without an end, also for a call that was
 * aborted (undici#3897): such as a port of SOCKS, or a proxy that knows no CONNECT.
 */
async function giveUpOnClosed(onGivenUp: () => void): Promise<void> {
  const { subscribe, unsubscribe } = await import("node:diagnostics_channel");
  const channel = "undici:client:connectError";
  const listen = (message: unknown) => {
    const { error } = message as { error: Error & { code?: string } };
    if (error.code !== "UND_ERR_SOCKET") return;
    unsubscribe(channel, listen);
    onGivenUp();
    const proxies = Reflect.get(globalThis, DISPATCHER) as
      { destroy(error: Error): Promise<void> } | undefined;
    void proxies?.destroy(error);
  };
  subscribe(channel, listen);
}

/** Where every copy of undici keeps what connects. */
const DISPATCHER = Symbol.for("undici.globalDispatcher.1");

/** Adds to the authorities that the runtime trusts. Returns the options that each request needs on this runtime. */
async function trustAlso(certificates: string): Promise<RuntimeFields> {
  // No type library here describes Deno.
  const { Deno: deno } = globalThis as {
    Deno?: { createHttpClient(options: { caCerts: string[] }): unknown };
  };
  if (deno) return { client: deno.createHttpClient({ caCerts: [certificates] }) };
  const { getCACertificates, setDefaultCACertificates } = await import("node:tls");
  if (process.versions.bun) return { tls: { ca: [...getCACertificates("default"), certificates] } };
  setDefaultCACertificates([...getCACertificates("default"), certificates]);
  return {};
}

/** The variable that names the proxy of a call, as Node, Deno, Bun and curl choose it. */
function proxyFor({ protocol, host, hostname }: URL, env: Io["env"]): string | undefined {
  const names = protocol === "https:" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"];
  const name = names.find((each) => env[each]);
  const direct = (env.no_proxy || env.NO_PROXY || "").split(/[\s,]+/);
  const isDirect = direct.some((each) => {
    const domain = each.replace(/^\*?\./, "");
    return (
      each === "*" || domain === host || domain === hostname || (domain && hostname.endsWith(`.${domain}`))
    );
  });
  return isDirect ? undefined : name;
}
