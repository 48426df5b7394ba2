// Requests that are nearly right, to every route of both APIs: `npm run fuzz -- [SECONDS [SEED]]`. Not part of the
// suite. It fails on a 500, a fault in the log, a wait past the deadline, and memory past the budget; what it finds
// becomes a test. The same seed makes the same requests.
import { setTimeout as wait } from "node:timers/promises";
import { freshIp } from "./support/fresh-ip.ts";
import { makeKnown } from "./fuzz/known.ts";
import { makeFiles, makeRequest, type FuzzedRequest } from "./fuzz/requests.ts";
import { Random } from "./fuzz/random.ts";
import { startHarness, type Harness } from "./support/harness.ts";

const MIB = 1024 * 1024;
const BUDGET_MIB = 512;
const BESIDE_MIB = 400;
const DEADLINE_MS = 40_000;
const AT_ONCE = 4;
/** Requests after which what the server knows has been read, revoked or deleted, and is made anew. */
const USED_UP = 200;

const [seconds = "60", seed = String(Date.now() % 1_000_000)] = process.argv.slice(2);
console.log(`seed ${seed}, ${seconds} seconds`);
const service = await startHarness({ memoryBudget: BUDGET_MIB * MIB });
const random = new Random(Number(seed));
const files = await makeFiles(await lockSomething());
let known = await makeKnown(service);
const end = performance.now() + Number(seconds) * 1000;
const statuses = new Map<number, number>();
let count = 0;
await Promise.all(Array.from({ length: AT_ONCE }, sendOn));
await service.close();
console.log(
  `${count} requests: ${[...statuses]
    .toSorted()
    .map(([status, times]) => `${status} ${times}×`)
    .join(", ")}`,
);
process.exit(process.exitCode ?? 0);

async function lockSomething() {
  const sent = { method: "POST", body: "hush" };
  const response = await service.request("/api/tools/file-encrypt?password=p", sent);
  return new Uint8Array(await response.arrayBuffer());
}

async function sendOn(): Promise<void> {
  while (performance.now() < end) {
    if (count % USED_UP === 0) known = await makeKnown(service);
    const request = makeRequest(random, { files, known });
    const wrong = await findWrong(request, service);
    count++;
    if (wrong) report(wrong, { request, number: count });
  }
}

async function findWrong(
  request: FuzzedRequest,
  { request: send, lines }: Harness,
): Promise<string | undefined> {
  const { path, ...init } = request;
  const answer = send(path, { ...init, ip: freshIp() }).then(async (response) => {
    await response.arrayBuffer();
    return response.status;
  });
  // A request that cannot even be made, such as one with a wrong header, is none.
  const status = await Promise.race([answer.catch(String), wait(DEADLINE_MS, undefined, { ref: false })]);
  if (status === undefined) return "no answer in time";
  if (typeof status === "string") return status;
  statuses.set(status, (statuses.get(status) ?? 0) + 1);
  // Every line is looked at once; of several requests at a time the 500 tells whose it is.
  const fault = lines.splice(0).find((line) => line.includes('"event":"fault"'));
  if (fault || status === 500) return `${status} ${fault ?? ""}`;
  const resident = process.memoryUsage.rss() / MIB;
  return resident > BUDGET_MIB + BESIDE_MIB ? `${Math.round(resident)} MiB` : undefined;
}

function report(wrong: string, { request, number }: { request: FuzzedRequest; number: number }): void {
  const { method, path, headers, body } = request;
  console.log(`request ${number}: ${wrong}\n  ${method} ${path} ${JSON.stringify(headers)}`);
  if (body) console.log(`  ${body.length} bytes: ${Buffer.from(body.subarray(0, 3000)).toString("base64")}`);
  process.exitCode = 1;
}
