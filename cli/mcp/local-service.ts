import { createServer } from "../../server/index.ts";
import type { Client } from "../../client/client.ts";

const URL_INSIDE = "http://127.0.0.1";
/** The highest limits that the settings take, since nobody shares this service. */
const MANY_CALLS = 100_000;

/** The service inside this process, without a socket or a database file; the tools run on it. */
export interface LocalService {
  readonly client: Client;
  readonly close: () => Promise<void>;
}

/**
 * Its workers are separate processes: a file can neither end nor block this one, and a job that takes too long is
 * stopped. The model counts as a member, with a member's limits.
 */
export async function openLocalService(): Promise<LocalService> {
  const server = await createServer({
    publicUrl: URL_INSIDE,
    databaseUrl: ":memory:",
    workers: 2,
    workSeconds: 120,
    limits: { memberToolCalls: MANY_CALLS },
    authenticate: () => ({ id: "model" }),
  });
  const { createClient } = await import("../../client/client.ts");
  const client = createClient(URL_INSIDE, {
    fetch: (input, init) => server.fetch(new Request(input, init), { address: "127.0.0.1" }),
  });
  return { client, close: server.close };
}
