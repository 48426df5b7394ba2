import { afterAll, beforeAll } from "vitest";
import type { Runtime } from "../../support/runtimes.ts";
import { startServer, type RunningServer } from "./server.ts";

/** The real program on a socket for all tests of a file or a `describe`; only for what needs a socket or a process. */
export function withProcess(runtime: Runtime, env: Record<string, string> = {}): RunningServer {
  // Empty until `beforeAll` has run: destructure it inside tests only.
  const server = {} as RunningServer;
  beforeAll(async () => void Object.assign(server, await startServer(runtime, env)));
  afterAll(() => server.stop());
  return server;
}
