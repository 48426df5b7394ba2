import { execFileSync } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startServer, type RunningServer } from "../../test/process/support/server.ts";
import { findRuntimes, type Runtime } from "../../test/support/runtimes.ts";
import { peakOf, residentOf, resetPeak } from "../support/memory.ts";
import { row } from "../support/measure.ts";
import { makeDatabase, makeFolder } from "../support/places.ts";
import { makeToken } from "./token.ts";

const MIB = 1024 * 1024;
/** The largest file that a member may send. */
const FILE_MIB = 100;
const ROUNDS = 3;

/** A file that is handed out once, up and down by curl, beside the same upload to file-hash; and the memory it took. */
export async function benchFileSecret(): Promise<string[]> {
  const lines: string[] = [];
  for (const runtime of findRuntimes()) {
    for (const [name, make] of Object.entries({ SQLite: makeFolder, PostgreSQL: makeDatabase })) {
      const place = await make().catch(() => undefined);
      if (place) lines.push(`on ${runtime.name} with ${name}`, ...(await benchOn(runtime, place.url)));
      else console.log(`skipped file-secret on ${name}: none can be used here (TEST_POSTGRES_URL)`);
      await place?.drop();
    }
  }
  return lines;
}

async function benchOn(runtime: Runtime, databaseUrl: string): Promise<string[]> {
  const server = await startServer(runtime, databaseUrl ? { DATABASE_URL: databaseUrl } : {});
  const path = join(server.folder, "file.bin");
  writeFileSync(path, randomFillSync(new Uint8Array(FILE_MIB * MIB)));
  try {
    const headers = ["-H", "Expect:", "-H", `Authorization: Bearer ${await makeToken(server.url)}`];
    return measure(server, { path, headers });
  } finally {
    await server.stop();
    rmSync(path, { force: true });
  }
}

function measure(server: RunningServer, { path, headers }: { path: string; headers: string[] }): string[] {
  const send = (to: string, body: string[]) =>
    execFileSync("curl", ["-sSf", ...headers, ...body, server.url + to], { encoding: "utf8" });
  const create = (body: string[]) =>
    JSON.parse(send("/api/secrets/file", body)) as { id: string; key: string };
  const raw = ["-X", "POST", "-T", path];
  const links: { id: string; key: string }[] = [];
  // Once of each, for what is loaded and grown at the first call.
  read(create(raw));
  const watched = watch(server.pid);
  const hash = best(() => void send("/api/tools/file-hash", raw));
  const lines = [
    watched(`file-hash of ${FILE_MIB} MiB`, { value: hash }),
    watched("upload", { value: best(() => void links.push(create(raw))), peer: hash }),
    watched("upload as a form", {
      value: best(() => void links.push(create(["-F", `file=@${path}`]))),
      peer: hash,
    }),
    watched("upload as a form, fields behind", {
      value: best(() => void links.push(create(["-F", `file=@${path}`, "-F", "expires=3600"]))),
      peer: hash,
    }),
    watched("download", { value: best(() => read(links.pop()!)), peer: hash }),
  ];
  return lines.flat();

  function read({ id, key }: { id: string; key: string }): void {
    send(`/api/secrets/${id}/file`, ["-d", `key=${key}`, "-o", `${path}.down`]);
    execFileSync("cmp", [path, `${path}.down`]);
  }
}

function watch(pid: number) {
  const idle = residentOf(pid);
  resetPeak(pid);
  return (what: string, time: { value: number; peer?: number }): string[] => {
    const peak = peakOf(pid) - idle;
    resetPeak(pid);
    return [
      row(what, { ...time, unit: "ms" }),
      row("  memory above idle at its peak", { value: peak, unit: "MiB" }),
    ];
  };
}

function best(work: () => void): number {
  let least = Infinity;
  for (let i = 0; i < ROUNDS; i++) {
    const start = performance.now();
    work();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}
