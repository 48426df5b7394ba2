// How many of our own files one warm call passes in the main process, by V8's precise coverage: what a reader
// has to follow. Node only: `npm run bench -- files-per-call`, with their names and the functions that ran in each
// after `--list`, as JSON after `--json`.
import { Session } from "node:inspector/promises";
import { PDFDocument } from "pdf-lib";
import { startHarness } from "../../test/support/harness.ts";

const ROOT = new URL("../..", import.meta.url).href;
const NOT_OURS = /^(bin|node_modules|test|bench)\//;

/** By file, the names of the functions that ran. */
type FunctionsByFile = Record<string, string[]>;

/** Into one run may fall what is done each second. */
const RUNS = 5;

/** The functions that run during `call` when it is warm: of several runs the one with the fewest files. */
async function passedBy(call: () => Promise<Response>): Promise<FunctionsByFile> {
  await read(await call());
  const runs: FunctionsByFile[] = [];
  for (let run = 0; run < RUNS; run++) runs.push(await passedOnce(call));
  return runs.reduce((a, b) => (Object.keys(b).length < Object.keys(a).length ? b : a));
}

async function passedOnce(call: () => Promise<Response>): Promise<FunctionsByFile> {
  // What ran before is forgotten.
  await session.post("Profiler.takePreciseCoverage");
  await read(await call());
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const ours = result.flatMap(({ url, functions }): [string, string[]][] => {
    const file = url.startsWith(ROOT) ? url.slice(ROOT.length) : undefined;
    const ran = functions.filter(({ ranges }) => ranges.some(({ count }) => count > 0));
    if (file === undefined || NOT_OURS.test(file) || ran.length === 0) return [];
    return [
      [file, [...new Set(ran.map(({ functionName }) => functionName || "(a function without a name)"))]],
    ];
  });
  return Object.fromEntries(ours.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

async function read(response: Response): Promise<Response> {
  const whole = new Response(await response.arrayBuffer(), response);
  if (!response.ok) throw new Error(`The call answered ${response.status}`);
  return whole;
}

async function makePdf(): Promise<Uint8Array<ArrayBuffer>> {
  const document = await PDFDocument.create();
  document.addPage();
  return new Uint8Array(await document.save());
}

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
const service = await startHarness();
const pdf = await makePdf();
const secret = () => new URLSearchParams({ secret: "hush", expires: "3600" });
const create = () => service.request("/", { method: "POST", body: secret() });
// Each reveal has a secret of its own, which is made before anything is counted.
const secrets = await Promise.all(
  Array.from({ length: 1 + RUNS }, async () => await (await read(await create())).json()),
);

const calls: Record<string, { name: string; call: () => Promise<Response> }> = {
  rotate: {
    name: "POST /api/tools/pdf-rotate?angle=-90&range=end",
    call: () => service.request("/api/tools/pdf-rotate?angle=-90&range=end", { method: "POST", body: pdf }),
  },
  create: { name: "POST / with a form", call: create },
  reveal: {
    name: "POST /api/secrets/{id}/reveal",
    call: () => {
      const { id, key } = secrets.pop();
      return service.request(`/api/secrets/${id}/reveal`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ key }),
      });
    },
  },
  healthz: { name: "GET /healthz", call: () => service.request("/healthz") },
};

const all: Record<string, FunctionsByFile> = {};
for (const [key, { name, call }] of Object.entries(calls)) {
  const passed = await passedBy(call);
  all[key] = passed;
  const files = Object.entries(passed);
  const functions = files.flatMap(([, names]) => names).length;
  if (process.argv.includes("--json")) continue;
  console.log(`${name}: ${files.length} files, ${functions} functions`);
  if (process.argv.includes("--list"))
    for (const [file, names] of files) console.log(`  ${file}: ${names.join(", ")}`);
}
if (process.argv.includes("--json")) console.log(JSON.stringify(all));
session.disconnect();
await service.close();
