// The pages on a real socket, for tests and for the pictures of the documents.
import { execFile } from "node:child_process";
import { createServer as createSocket } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { listen } from "../../../adapters/http/listen.ts";
import { createService } from "../../../adapters/service/server.ts";
import { settingsOf } from "../../support/settings.ts";
import { openDatabase } from "../../../db/open.ts";

const ROOT = new URL("../../../", import.meta.url);

/** Milliseconds that the server's clock is ahead; a test moves it. */
export interface TestClock {
  ahead: number;
}

export interface StageOptions {
  readonly publicUrl?: string;
  /** Where to listen, for a test that names the port in the URL. */
  readonly port?: number;
  /** What callers without an account may start. */
  readonly anonymous?: "all" | "none";
  /** Of the environment: those of limits and of the instance. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Has the pages built, unless they are built from exactly these sources. */
export async function buildPages(): Promise<void> {
  const builder = fileURLToPath(new URL("web/build.ts", ROOT));
  const deno = process.versions.deno ? ["run", "-A"] : [];
  await promisify(execFile)(process.execPath, [...deno, builder], { cwd: fileURLToPath(ROOT) });
}

/** Starts a server with the pages on a real socket. */
export async function startServer(clock: TestClock, options: StageOptions = {}) {
  const { publicUrl, anonymous = "all", port = await freePort() } = options;
  const url = publicUrl ?? `http://localhost:${port}`;
  const db = await openDatabase(":memory:");
  const service = await createService({
    db,
    clock: () => Date.now() + clock.ahead,
    publicUrl: url,
    trust: { hops: 1 },
    workers: 1,
    workSeconds: 30,
    memoryBudget: 1024 ** 3,
    maxSecretBytes: 64 * 1024 ** 2,
    registration: "open",
    anonymous,
    ...settingsOf(options.settings),
    write: () => {},
  });
  const listening = await listen(service, { port, host: "127.0.0.1" });
  const close = async () => {
    await listening.stop(1000);
    await service.workers.close();
    await db.close();
  };
  return { url, port, db, close };
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createSocket();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
