// How many of our own files one warm call passes in the main process, by V8's precise coverage: what a reader
// has to follow. Node only: `npm run bench -- files-per-call`, with their names after `--list`.
import { Session } from "node:inspector/promises";
import { PDFDocument } from "pdf-lib";
import { startHarness } from "../../test/support/harness.ts";

const ROOT = new URL("../..", import.meta.url).href;
const NOT_OURS = /^(node_modules|test|bench)\//;

/** The files with a function that runs during `call`, in the second run of it. */
async function filesOf(call: () => Promise<Response>): Promise<string[]> {
  await read(await call());
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await session.post("Profiler.takePreciseCoverage");
  await read(await call());
  const { result } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const ran = result.filter(({ functions }) =>
    functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
  );
  const ours = ran.filter(({ url }) => url.startsWith(ROOT)).map(({ url }) => url.slice(ROOT.length));
  return ours.filter((file) => !NOT_OURS.test(file)).toSorted();
}

async function read(response: Response): Promise<void> {
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`The call answered ${response.status}`);
}

async function makePdf(): Promise<Uint8Array<ArrayBuffer>> {
  const document = await PDFDocument.create();
  document.addPage();
  return new Uint8Array(await document.save());
}

const service = await startHarness();
const pdf = await makePdf();
const calls: Record<string, () => Promise<Response>> = {
  "POST /api/tools/pdf-rotate?angle=-90&range=end": () =>
    service.request("/api/tools/pdf-rotate?angle=-90&range=end", { method: "POST", body: pdf }),
  "POST / with a form": () =>
    service.request("/", { method: "POST", body: new URLSearchParams({ secret: "hush", expires: "3600" }) }),
};
for (const [name, call] of Object.entries(calls)) {
  const files = await filesOf(call);
  console.log(`${name}: ${files.length} files`);
  if (process.argv.includes("--list")) console.log(files.map((file) => `  ${file}`).join("\n"));
}
await service.close();
