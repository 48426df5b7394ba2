import { execFileSync } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startServer, type RunningServer } from "../../test/process/support/server.ts";
import { findRuntimes } from "../../test/support/runtimes.ts";
import { row } from "../support/measure.ts";
import { makeToken } from "../service/token.ts";
import { peakOf, residentOf, resetPeak } from "../support/memory.ts";

const MIB = 1024 * 1024;
const ROUNDS = 5;
/** The largest file that a member may send. */
const FILE_MIB = 100;

/** A file through HTTP against sha256sum, with the memory it took, and an upload that is refused. */
export async function benchHash(): Promise<string[]> {
  const [node] = findRuntimes();
  const server = await startServer(node!);
  const path = join(server.folder, "file.bin");
  writeFileSync(path, randomFillSync(new Uint8Array(FILE_MIB * MIB)));
  const peer = best(() => void execFileSync("sha256sum", [path]));
  const url = `${server.url}/api/tools/file-hash`;
  const token = await makeToken(server.url);
  const idle = residentOf(server.pid);
  resetPeak(server.pid);
  const ours = best(() => upload(url, { path, token }));
  const peak = peakOf(server.pid);
  const lines = [
    row(`sha256sum of ${FILE_MIB} MiB, a process`, { value: peer, unit: "ms" }),
    row("file-hash through HTTP by curl, a process too", { value: ours, unit: "ms", peer }),
    row("memory above idle at its peak", { value: peak - idle, unit: "MiB" }),
    ...(await benchRefusal(server, { url, path })),
  ];
  await server.stop();
  return lines;
}

async function benchRefusal(
  server: RunningServer,
  { url, path }: { url: string; path: string },
): Promise<string[]> {
  for (let i = 0; i < 60; i++) await fetch(url, { method: "POST", body: "x" });
  const idle = residentOf(server.pid);
  resetPeak(server.pid);
  const refused = best(() => upload(url, { path }));
  return [
    row(`an upload of ${FILE_MIB} MiB refused with 429`, { value: refused, unit: "ms" }),
    row("memory above idle at its peak", { value: peakOf(server.pid) - idle, unit: "MiB" }),
  ];
}

function upload(url: string, { path, token }: { path: string; token?: string }): void {
  const proof = token === undefined ? [] : ["-H", `Authorization: Bearer ${token}`];
  const sent = ["-sS", "-H", "Expect:", ...proof, "--data-binary", `@${path}`];
  const status = execFileSync("curl", [...sent, "-o", "/dev/null", "-w", "%{http_code}", url], {
    encoding: "utf8",
  });
  if (status !== (token === undefined ? "429" : "200")) throw new Error(`The bench was answered ${status}`);
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
