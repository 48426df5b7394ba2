// The adapter for any tRPC router beside others that serve the same procedures, in process: processor time of a call,
// and the memory of 100 MB in and out. oRPC is installed into a temporary folder, in the versions below.
// npm run bench -- adapters [CALLS [ROUNDS]]
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { loadContenders, versionOf, type Contender } from "./contenders.ts";
import { procedures } from "./shop.ts";

const PEERS = {
  "orpc.mjs": ["trpc", "openapi", "server", "zod", "json-schema"].map((name) => `@orpc/${name}@1.15.0`),
  "orpc-beta.mjs": ["openapi", "server", "json-schema"].map((name) => `@orpc/${name}@2.0.0-beta.16`),
};
const ORIGIN = "http://bench.test";
const [CALLS = 2_000, ROUNDS = 6] = process.argv.slice(2).map(Number);

const SEARCH = { text: "red & round", limit: 20, exact: true, tags: ["red", "round", "new"] };
const ORDER = {
  name: "Ada Lovelace",
  email: "ada@example.com",
  amount: 12.5,
  express: true,
  tags: ["gift", "fragile"],
  note: "Please ring twice, and leave it with the neighbours where nobody opens.",
};
// Ours takes 10,000 values in one JSON.
const ROWS = Array.from({ length: 1_600 }, (_, id) => ({
  id,
  name: `Row number ${id} `.repeat(37),
  tags: ["red", "round"],
}));

/** One kind of call. */
interface Job {
  readonly name: string;
  readonly calls: number;
  /** Undefined where a contender has no such call. */
  readonly request: (contender: Contender) => (() => Request) | undefined;
  readonly result: unknown;
}

const JOBS: readonly Job[] = [
  {
    name: "GET with a query",
    calls: CALLS,
    request: ({ isRest, list = "tags" }) => (isRest ? () => searchRequest(list) : undefined),
    result: procedures.search(SEARCH),
  },
  postJob("POST of JSON", CALLS, { path: "/order", body: ORDER, result: procedures.order(ORDER) }),
  postJob("POST of 1 MB", Math.ceil(CALLS / 100), {
    path: "/keep",
    body: { rows: ROWS },
    result: procedures.keep({ rows: ROWS }),
  }),
  {
    name: "RPC, GET",
    calls: CALLS,
    request: ({ rpc }) => rpc && (() => rpcRequest(rpc)),
    result: procedures.search(SEARCH),
  },
  {
    // As tRPC's httpBatchLink sends a call by itself.
    name: "RPC, batch of one",
    calls: CALLS,
    request: ({ rpc }) => (rpc === "trpc" ? batchRequest : undefined),
    result: procedures.search(SEARCH),
  },
];

function searchRequest(list: string): Request {
  const { text, limit, exact, tags } = SEARCH;
  const query = new URLSearchParams({ text, limit: String(limit), exact: String(exact) });
  for (const tag of tags) query.append(list, tag);
  return new Request(`${ORIGIN}/search?${query.toString()}`);
}

function rpcRequest(rpc: "trpc" | "orpc"): Request {
  const path =
    rpc === "trpc"
      ? `/trpc/search?input=${encodeURIComponent(JSON.stringify(SEARCH))}`
      : `/rpc/search?data=${encodeURIComponent(JSON.stringify({ json: SEARCH }))}`;
  return new Request(ORIGIN + path);
}

function batchRequest(): Request {
  const input = encodeURIComponent(JSON.stringify({ 0: SEARCH }));
  return new Request(`${ORIGIN}/trpc/search?batch=1&input=${input}`);
}

function postJob(
  name: string,
  calls: number,
  { path, body, result }: { path: string; body: object; result: object },
): Job {
  const text = JSON.stringify(body);
  const headers = { "content-type": "application/json", "content-length": String(Buffer.byteLength(text)) };
  const request = () => new Request(ORIGIN + path, { method: "POST", body: text, headers });
  return { name, calls, request: ({ isRest }) => (isRest ? request : undefined), result };
}

/** The result in an answer: bare over REST, and inside of what tRPC and oRPC put around it. */
function resultOf(answer: Answer | [Answer]): unknown {
  const { result, json } = Array.isArray(answer) ? answer[0] : answer;
  return result?.data ?? json ?? answer;
}

interface Answer {
  readonly result?: { data: unknown };
  readonly json?: unknown;
}

async function check(contender: Contender, job: Job): Promise<void> {
  const request = job.request(contender)?.();
  if (!request) return;
  const response = await contender.fetch(request);
  const text = await response.text();
  if (response.status === 200 && isDeepStrictEqual(resultOf(JSON.parse(text)), job.result)) return;
  throw new Error(`${contender.name}, ${job.name}: ${response.status} ${text.slice(0, 300)}`);
}

/** Microseconds of processor time for a call, by job and contender: the best of all rounds. */
async function measureCalls(contenders: readonly Contender[]): Promise<number[][]> {
  const best = JOBS.map(() => contenders.map(() => Infinity));
  for (const job of JOBS) for (const contender of contenders) await check(contender, job);
  // The first round warms up; another begins in each.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [row, job] of JOBS.entries()) {
      for (let turn = 0; turn < contenders.length; turn++) {
        const column = (turn + round) % contenders.length;
        const took = await microseconds(contenders[column]!, job);
        if (round > 0) best[row]![column] = Math.min(best[row]![column]!, took);
      }
    }
  }
  return best;
}

async function microseconds(contender: Contender, job: Job): Promise<number> {
  const make = job.request(contender);
  if (!make) return Infinity;
  const start = process.cpuUsage();
  for (let i = 0; i < job.calls; i++) await (await contender.fetch(make())).text();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / job.calls;
}

/** MiB that 100 MB need in a process of its own, each way that a contender has. */
function memoryOf({ name }: Contender, ways: Readonly<Record<string, string>>, folders: readonly string[]) {
  const entries = Object.entries(ways);
  return entries.map(([kind, path]) => `${mebibytes([name, path, ...folders])} as ${kind}`).join(", ");
}

function mebibytes(args: readonly string[]): number {
  const program = fileURLToPath(new URL("memory.ts", import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, ["--no-warnings", program, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`No memory of ${args.join(" ")}`);
  return Number(stdout);
}

function table(contenders: readonly Contender[], best: number[][], folders: readonly string[]): string[] {
  const heads = ["", ...JOBS.map(({ name }) => name), "100 MB in, MiB", "100 MB out, MiB"];
  const rows = contenders.map((contender, column) => {
    const cells = best.map((row) => cell(row[column]!, { ours: row[0]!, isOurs: column === 0 }));
    const { uploads, downloads } = contender;
    const memory = [uploads, downloads].map((ways) => memoryOf(contender, ways, folders) || "no");
    return [contender.name, ...cells, ...memory];
  });
  return [heads, heads.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
}

function cell(value: number, { ours, isOurs }: { ours: number; isOurs: boolean }): string {
  if (value === Infinity) return "no";
  if (!isOurs) return (value / ours).toFixed(2);
  return value < 1000 ? `${value.toFixed(0)} µs` : `${(value / 1000).toFixed(1)} ms`;
}

function installPeers(root: string): string[] {
  return Object.entries(PEERS).map(([file, packages]) => {
    const folder = mkdtempSync(join(root, "peers-"));
    const args = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel", "error"];
    // What they have as peers are the versions of this project.
    const own = ["@trpc/server", "zod"].map((name) => `${name}@${versionOf(name)}`);
    execFileSync("npm", [...args, ...packages, ...own], { stdio: ["ignore", "ignore", "inherit"] });
    copyFileSync(new URL(file, import.meta.url), join(folder, "peers.mjs"));
    return folder;
  });
}

// trpc-to-openapi makes its whole document for each call otherwise.
process.env["NODE_ENV"] = "production";
const root = mkdtempSync(join(tmpdir(), "hushkit-bench-"));
try {
  const folders = installPeers(root);
  const contenders = await loadContenders(folders);
  const best = await measureCalls(contenders);
  console.log(
    `Node ${process.versions.node}, zod ${versionOf("zod")}; the stream alone: ${mebibytes([])} MiB\n`,
  );
  for (const line of table(contenders, best, folders)) console.log(line);
} finally {
  rmSync(root, { recursive: true });
}
