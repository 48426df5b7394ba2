import { afterAll, afterEach, beforeAll, onTestFailed, onTestFinished } from "vitest";
import type { Runtime } from "../../support/runtimes.ts";
import { lastLines, startServer, type RunningServer } from "./server.ts";

/** The real program on a socket for all tests of a file or a `describe`; only for what needs a socket or a process. */
export function withProcess(runtime: Runtime, env: Record<string, string> = {}): RunningServer {
  // Empty until `beforeAll` has run: destructure it inside tests only.
  const server = {} as RunningServer;
  beforeAll(async () => void Object.assign(server, await startServer(runtime, env)));
  afterAll(() => server.stop?.());
  showLogs(() => [server]);
  return server;
}

/** One for the test that is running, with which it ends; where the test fails, its last lines are shown. */
export async function startForTest(
  runtime: Runtime,
  env: Record<string, string> = {},
  start = startServer,
): Promise<RunningServer> {
  const server = await start(runtime, env);
  onTestFinished(server.kill);
  onTestFailed(() => show(server));
  return server;
}

/** Shows the last lines of the servers of a file or a `describe` after each of its tests that fails. */
export function showLogs(servers: () => readonly RunningServer[]): void {
  afterEach(({ task }) => {
    if (task.result?.state === "fail") servers().forEach(show);
  });
}

function show(server: RunningServer): void {
  console.error(`What the server at ${server.url} has said last:\n${lastLines(server)}`);
}
