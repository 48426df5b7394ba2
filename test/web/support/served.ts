// The pages on a real socket, for tests and for the pictures of the documents.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { listen } from "../../../adapters/http/listen.ts";
import { readConfig } from "../../../adapters/config/config.ts";
import { readLogo } from "../../../adapters/service/pages/instance.ts";
import { createService } from "../../../adapters/service/server.ts";
import { openDatabase } from "../../../db/open.ts";
import { CHEAP } from "../../support/harness.ts";

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
  const { publicUrl, anonymous = "all", port = 0 } = options;
  const db = await openDatabase(":memory:");
  const config = readConfig({
    ...{ PUBLIC_URL: publicUrl ?? "http://localhost:0", TRUST_PROXY: "1", WORKERS: "1" },
    ...{ MEMORY_BUDGET: "1GiB", MAX_SECRET_BYTES: "64MiB", ANONYMOUS: anonymous },
    ...options.settings,
  });
  const service = await createService({
    db,
    clock: () => Date.now() + clock.ahead,
    config,
    logo: readLogo(config.instanceLogo),
    instanceKey: new Uint8Array(32).fill(7),
    passwordCost: CHEAP,
    write: () => {},
  });
  const end = async () => {
    await service.close();
    await db.close();
  };
  const listening = await listen(service, { port, host: "127.0.0.1" }).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  // With port 0 the system has chosen one.
  const own = Number(new URL(listening.url).port);
  const url = publicUrl ?? `http://localhost:${own}`;
  service.services.publicUrl = url;
  const close = async () => {
    await listening.stop(1000);
    await end();
  };
  return { url, port: own, db, close };
}
