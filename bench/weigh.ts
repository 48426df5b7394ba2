// What a tool holds in memory for each byte that it is sent: the `weight` of its procedure.
// npm run bench -- weigh TOOL[?OPTIONS] FILE…   such as: weigh 'pdf-rotate?angle=90' scan.pdf
// A file is the body as it is: the PDF, the image, or the JSON of a tool that takes JSON. Linux only.
import { readFileSync } from "node:fs";
import { startServer, type RunningServer } from "../test/process/support/server.ts";
import { findRuntimes } from "../test/support/runtimes.ts";
import { processesOf, residentOf } from "./support/memory.ts";
import { pagesBuilt } from "./support/pages-built.ts";
import { makeToken } from "./service/token.ts";

const MIB = 2 ** 20;
const ROUNDS = 3;
const SAMPLE_MS = 5;

const [tool, ...files] = process.argv.slice(2);
if (tool === undefined || files.length === 0) {
  console.error("usage: npm run bench -- weigh TOOL[?OPTIONS] FILE...");
  process.exitCode = 2;
} else {
  for (const file of files) console.log(await weigh(tool, file));
}

/** The most of several rounds, each on a server of its own: a heap that once grew would hide what the next call needs. */
async function weigh(path: string, file: string): Promise<string> {
  const body = readFileSync(file);
  const added = [];
  for (let round = 0; round < ROUNDS; round++) added.push(await measureOnce(path, body));
  const most = Math.max(...added);
  return `${(body.length / MIB).toFixed(1)} MiB: ${(most / MIB).toFixed(0)} MiB above idle, weight ${(most / body.length).toFixed(2)}`;
}

async function measureOnce(path: string, body: Buffer<ArrayBuffer>): Promise<number> {
  const [node] = findRuntimes();
  const server = await startServer(node!, { WORKERS: "1" });
  try {
    return await measure(server, { path, body });
  } finally {
    await server.stop();
  }
}

async function measure(server: RunningServer, { path, body }: Call): Promise<number> {
  await pagesBuilt(server);
  const token = await makeToken(server.url);
  // The worker and the tool are loaded by a call that fails; only what the file itself needs is to be measured.
  await send(server, { path, body: Buffer.from("{}"), token });
  // A worker that has held much is ended after its job, with what the system knew of its peak: so while it works.
  const held = () => processesOf(server.pid).reduce((sum, pid) => sum + residentOf(pid), 0);
  const idle = held();
  let most = idle;
  const watch = setInterval(() => (most = Math.max(most, held())), SAMPLE_MS);
  const status = await send(server, { path, body, token }).finally(() => clearInterval(watch));
  if (status !== 200) throw new Error(`The tool answered ${status}`);
  return (most - idle) * MIB;
}

interface Call {
  readonly path: string;
  readonly body: Buffer<ArrayBuffer>;
}

async function send(
  { url }: RunningServer,
  { path, body, token }: Call & { token: string },
): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/api/tools/${path}`, { method: "POST", body, headers });
  for await (const _ of response.body ?? []);
  return response.status;
}
