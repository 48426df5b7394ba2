import { fileURLToPath } from "node:url";
import { type RunningServer, startProgram, startServer } from "../../test/process/support/server.ts";
import { findRuntimes, type Runtime } from "../../test/support/runtimes.ts";
import { row } from "../support/measure.ts";
import { privateOf, residentOf } from "../support/memory.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const ROUNDS = 3;
/** After its first answer a server still loads and writes a few things. */
const REST_MS = 3000;

/** The least that answers over HTTP. */
const BARE = `import { createServer } from "node:http";
  const server = createServer((request, response) => response.end());
  server.listen(0, "127.0.0.1", () => {
    const url = "http://127.0.0.1:" + server.address().port;
    console.log(JSON.stringify({ event: "listening", url }));
  });`;

interface Start {
  readonly ms: number;
  readonly resident: number;
  readonly own: number;
}

/**
 * From starting the program to its first answer, and the memory that it holds then, on every runtime that is here,
 * beside a program that only answers.
 */
export async function benchStart(): Promise<string[]> {
  const lines: string[] = [];
  for (const runtime of findRuntimes()) {
    const { name } = runtime;
    const ours = await measureStarts(() => startAsPeopleDo(runtime));
    const bare = await measureStarts(() => startProgram(bareOf(runtime), { cwd: ROOT }));
    lines.push(
      row(`start to first answer on ${name}`, { value: ours.ms, unit: "ms", peer: bare.ms }),
      row("  memory at rest", { value: ours.resident, unit: "MiB", peer: bare.resident }),
      row("  of that its own", { value: ours.own, unit: "MiB", peer: bare.own }),
    );
  }
  return lines;
}

/** On Node what has been built is run, as by `npm start`. */
function startAsPeopleDo(runtime: Runtime): Promise<RunningServer> {
  if (runtime.name !== "node") return startServer(runtime);
  return startProgram([runtime.command, ...runtime.args, "bin/start.mjs", "main.ts"], { cwd: ROOT });
}

function bareOf({ name, command }: Runtime): string[] {
  const how = { node: ["--input-type=module", "-e"], deno: ["eval"], bun: ["-e"] };
  return [command, ...how[name], BARE];
}

/** The least of several rounds. */
async function measureStarts(start: () => Promise<RunningServer>): Promise<Start> {
  let least: Start = { ms: Infinity, resident: Infinity, own: Infinity };
  for (let i = 0; i < ROUNDS; i++) {
    const begun = performance.now();
    const server = await start();
    await (await fetch(`${server.url}/healthz`)).text();
    const ms = performance.now() - begun;
    await new Promise((resolve) => setTimeout(resolve, REST_MS));
    const [resident, own] = [residentOf(server.pid), privateOf(server.pid)];
    await server.stop();
    least = {
      ms: Math.min(least.ms, ms),
      resident: Math.min(least.resident, resident),
      own: Math.min(least.own, own),
    };
  }
  return least;
}
