import { startServer } from "../../test/process/support/server.ts";
import { findRuntimes } from "../../test/support/runtimes.ts";
import { row } from "../support/measure.ts";

const ROUNDS = 3;

/** From starting the program to its first answer, on every runtime that is here. */
export async function benchStart(): Promise<string[]> {
  const lines: string[] = [];
  for (const runtime of findRuntimes()) {
    let least = Infinity;
    for (let i = 0; i < ROUNDS; i++) {
      const start = performance.now();
      const server = await startServer(runtime);
      await (await fetch(`${server.url}/healthz`)).text();
      least = Math.min(least, performance.now() - start);
      await server.stop();
    }
    lines.push(row(`start to first answer on ${runtime.name}`, { value: least, unit: "ms" }));
  }
  return lines;
}
