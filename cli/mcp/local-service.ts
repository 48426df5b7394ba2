import { createServer } from "../../server/index.ts";
import type { Client } from "../../client/client.ts";

const URL_INSIDE = "http://127.0.0.1";
/** As many as its settings take: nobody shares it. */
const MANY_CALLS = 100_000;

/** The service inside this process, without a socket and without a file, on which the tools run. */
export interface LocalService {
  readonly client: Client;
  readonly close: () => Promise<void>;
}

/**
 * Its workers are processes of their own: what a file does to one of them neither ends nor stalls this one, and a job
 * that takes too long is ended. The model is a member, who may send what members may.
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
