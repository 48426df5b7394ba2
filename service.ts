import type { Config } from "./adapters/config/config.ts";
import { startSweeping } from "./adapters/operations/sweeper.ts";
import { createService, type Server } from "./adapters/service/server.ts";
import { openDatabase } from "./db/open.ts";

const SWEEP_MS = 60_000;
/** Uploads outlive their process by ARRIVING_SECONDS of router/limits.ts. */
const SWEEP_AGAIN_MS = 31_000;

export interface Service extends Server {
  /** Stops the workers and closes the database; nothing may run any more. */
  readonly close: () => Promise<void>;
}

/** A server on the database that its configuration names, which deletes what expires; not yet listening. */
export async function openService(
  config: Config,
  options: { buildPages: boolean; write: (line: string) => void },
): Promise<Service> {
  const db = await openDatabase(config.databaseUrl);
  const server = await createService({ ...config, ...options, db, clock: () => Date.now() });
  const stopSweeping = startSweeping({
    sweep: (signal) => server.sweep({ ...config, signal }),
    onFault: (error) => server.log.fault(error, "sweep"),
    everyMs: SWEEP_MS,
    againMs: SWEEP_AGAIN_MS,
  });
  const close = async () => {
    await stopSweeping();
    await server.workers.close();
    await db.close();
  };
  return { ...server, close };
}
