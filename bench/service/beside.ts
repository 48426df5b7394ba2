// How long light calls wait beside one large call that is legal: `npm run bench -- beside [RUNTIME[,RUNTIME] [NAME]]`.
// "x" is beside the same body at a bare server of the runtime, which only sends it back. On a busy machine the processor
// time of the longest turn of the server's event loop says more than the wait.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startProgram, startServer, type RunningServer } from "../../test/process/support/server.ts";
import { findRuntimes, preloading, type Runtime } from "../../test/support/runtimes.ts";
import { LARGE_CALLS, type LargeCall } from "../support/large-calls.ts";
import { openWire } from "../support/load.ts";
import { row } from "../support/measure.ts";
import { pagesBuilt } from "../support/pages-built.ts";
import { makeToken } from "./token.ts";

/** The least of several rounds counts: what else the machine does only adds. */
const ROUNDS = 3;
const PACE_MS = 2;
const TURNS = fileURLToPath(new URL("../support/turns.ts", import.meta.url));
const ECHO = fileURLToPath(new URL("../support/bare-echo.ts", import.meta.url));

interface Sender {
  /** Where the body lies. */
  readonly path: string;
  readonly token: string;
}

async function benchOn(runtime: Runtime, calls: readonly LargeCall[]): Promise<void> {
  const server = await startServer(preloading(runtime, TURNS));
  const bare = await startProgram([runtime.command, ...runtime.args, ECHO], { cwd: server.folder });
  try {
    await pagesBuilt(server);
    const sender = { path: join(server.folder, "body"), token: await makeToken(server.url) };
    for (const call of calls) {
      writeFileSync(sender.path, call.body());
      const { wait, turn, peer } = await measure(call, { server, bare, sender });
      console.log(row(call.name, { value: wait, unit: "ms", peer }));
      console.log(row("  processor time of the longest turn", { value: turn, unit: "ms" }));
    }
  } finally {
    await server.stop();
    await bare.stop();
  }
}

async function measure(
  call: LargeCall,
  { server, bare, sender }: { server: RunningServer; bare: RunningServer; sender: Sender },
): Promise<{ wait: number; turn: number; peer: number }> {
  const send = (to: RunningServer) => longestWait(to, sendFile(to.url, call, sender));
  // The first loads what the call needs.
  await send(server);
  let [wait, turn, peer] = [Infinity, Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    const before = server.output().length;
    wait = Math.min(wait, await send(server));
    turn = Math.min(turn, longestTurn(server.output().slice(before)));
    peer = Math.min(peer, await send(bare));
  }
  return { wait, turn, peer };
}

/** The client is a process of its own, or it would hold up the one that measures. */
async function sendFile(url: string, call: LargeCall, { path, token }: Sender): Promise<void> {
  const headers = {
    "Content-Type": call.type,
    Authorization: `Bearer ${token}`,
    Expect: "",
    ...call.headers,
  };
  const sent = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const quiet = ["-sS", "-o", "/dev/null", "-w", "%{http_code}", "-X", "POST", "-T", path];
  const curl = spawn("curl", [...quiet, ...sent, url + call.to], { stdio: ["ignore", "pipe", "inherit"] });
  let status = "";
  curl.stdout.on("data", (data: Buffer) => (status += String(data)));
  await once(curl, "close");
  if (!/^2\d\d$/.test(status)) throw new Error(`${call.name} was answered ${status}`);
}

async function longestWait({ url }: RunningServer, work: Promise<void>): Promise<number> {
  const wire = openWire(url);
  let [longest, isOver] = [0, false];
  const over = work.finally(() => (isOver = true));
  while (!isOver) {
    const start = performance.now();
    await wire.send({ path: "/healthz", from: "10.9.9.9" });
    longest = Math.max(longest, performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, PACE_MS));
  }
  wire.end();
  await over;
  return longest;
}

/** What support/turns.ts has written meanwhile; shorter turns it leaves out. */
function longestTurn(output: string): number {
  const turns = [...output.matchAll(/\{"turn":([\d.]+)\}/g)].map(([, milliseconds]) => Number(milliseconds));
  return Math.max(0, ...turns);
}

const [names = "", part = ""] = process.argv.slice(2);
const asked = names.split(",").filter(Boolean);
const runtimes = findRuntimes().filter(({ name }) => asked.length === 0 || asked.includes(name));
for (const runtime of runtimes) {
  console.log(`on ${runtime.name}`);
  await benchOn(
    runtime,
    LARGE_CALLS.filter(({ name }) => name.includes(part)),
  );
}
