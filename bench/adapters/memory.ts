// MiB that a process holds above idle while 100 MB go into a contender or come out of it, for adapters.ts:
// memory.ts CONTENDER PATH FOLDER…, or memory.ts alone for the stream with nobody between. What is sent is made a
// chunk at a time, and what comes back is counted. Linux only.
import { peakOf, residentOf, resetPeak } from "../support/memory.ts";
import { loadContenders, type Contender } from "./contenders.ts";
import { CHUNK_BYTES, makeStream, procedures } from "./shop.ts";

const BYTES = 100_000_000;
const ORIGIN = "http://bench.test";

const [name, path = "", ...folders] = process.argv.slice(2);
const contender = (await loadContenders(folders)).find((each) => each.name === name);
const carry = contender ? carryBy(contender) : (size: number) => procedures.count(makeStream(size));
// A few small ones, so that all of the code is there.
for (let i = 0; i < 3; i++) await carry(4 * CHUNK_BYTES);
resetPeak(process.pid);
const idle = residentOf(process.pid);
await carry(BYTES);
console.log((peakOf(process.pid) - idle).toFixed(0));

function carryBy(of: Contender): (size: number) => Promise<void> {
  const carrying = Object.values(of.downloads).includes(path) ? download : upload;
  return (size) => carrying(of, size);
}

async function upload({ fetch }: Contender, size: number): Promise<void> {
  const headers = { "content-type": "application/octet-stream", "content-length": String(size) };
  const init = { method: "POST", body: makeStream(size), headers, duplex: "half" };
  const response = await fetch(new Request(ORIGIN + path, init));
  const text = await response.text();
  if (!text.includes(`"size":${size}}`)) throw new Error(`${name}: ${response.status} ${text.slice(0, 300)}`);
}

async function download({ fetch }: Contender, size: number): Promise<void> {
  const response = await fetch(new Request(`${ORIGIN}${path}?bytes=${size}`));
  let counted = 0;
  for await (const chunk of response.body ?? []) counted += chunk.length;
  if (counted !== size) throw new Error(`${name}: ${response.status} with ${counted} bytes`);
}
