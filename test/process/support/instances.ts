import { freshIp } from "../../support/fresh-ip.ts";
import { runtimesHere } from "../../machine/skips.ts";
import { startServer, type RunningServer } from "./server.ts";

/** A secret as its sender has it. */
export interface Shared {
  readonly id: string;
  readonly key: string;
  readonly content: string;
}

export interface Answered {
  readonly status: number;
  readonly code: string | undefined;
  readonly content: string | undefined;
}

let instances = 0;

/** Starts one more real program on a database, each on the next of the runtimes that are here. */
export async function startInstance(databaseUrl: string): Promise<RunningServer> {
  const runtimes = runtimesHere();
  const runtime = runtimes[instances++ % runtimes.length]!;
  return startServer(runtime, { DATABASE_URL: databaseUrl, TRUST_PROXY: "1", WORKERS: "1" });
}

/** One POST, as from an address; the instances believe the proxy that a test is to them. */
export async function send(
  url: string,
  { body, from = freshIp(), ...more }: { body: object; from?: string; authorization?: string },
): Promise<Answered> {
  const headers = { "content-type": "application/json", "x-forwarded-for": from, ...more };
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body), headers });
  const { code, content } = (await response.json()) as Partial<Answered>;
  return { status: response.status, code, content };
}

/** Shares a content over one instance. */
export async function share({ url }: RunningServer, content: string, passphrase?: string): Promise<Shared> {
  const response = await fetch(`${url}/api/secrets`, {
    method: "POST",
    body: JSON.stringify({ content, passphrase }),
    headers: { "content-type": "application/json", "x-forwarded-for": freshIp() },
  });
  if (response.status !== 201) throw new Error(`Sharing was answered with ${response.status}`);
  const { id, key } = (await response.json()) as Shared;
  return { id, key, content };
}

/** Wants to read a secret over one instance. */
export function reveal({ url }: RunningServer, { id, key }: Shared): Promise<Answered> {
  return send(`${url}/api/secrets/${id}/reveal`, { body: { key } });
}

/** Does something with every item, so many at a time, until told to stop. */
export async function forAll<Item>(
  items: readonly Item[],
  { atOnce, work }: { atOnce: number; work: (item: Item) => Promise<void> },
): Promise<void> {
  let next = 0;
  const lane = async () => {
    while (next < items.length) await work(items[next++]!);
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}
