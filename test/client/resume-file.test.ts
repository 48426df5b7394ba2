import { expect, test } from "vitest";
import { resumeFile } from "../../client/resume-file.ts";
import type { Bytes } from "../../wire/bytes.ts";

const FILE = Uint8Array.from({ length: 100 }, (_, i) => i);

/** The file from a byte on, of which so much comes before the connection breaks, or ends without a word. */
async function* cut(at: number, { most, isSilent = false }: { most: number; isSilent?: boolean }) {
  if (most > 0) yield FILE.slice(at, at + most);
  if (at + most < FILE.length && !isSilent) throw new TypeError("terminated");
}

async function take(pieces: AsyncIterable<Bytes>): Promise<number[]> {
  const all: number[] = [];
  for await (const piece of pieces) all.push(...piece);
  return all;
}

const isLost = (error: unknown) => error instanceof TypeError;

test("asks for what is missing, and anew for as long after each byte", async () => {
  const asked: number[] = [];
  const comes = [0, 30, 0, 70];
  const reopen = async (at: number) => {
    asked.push(at);
    return cut(at, { most: comes.shift() ?? 0 });
  };
  const pieces = resumeFile({ size: 100 }, { reopen, isLost, waitsMs: [0, 0] });
  expect(await take(pieces)).toEqual([...FILE]);
  expect(asked).toEqual([0, 0, 30, 30]);
});

test("takes an end before the last byte for a cut", async () => {
  const reopen = async (at: number) => cut(at, { most: 100 });
  const pieces = cut(0, { most: 40, isSilent: true });
  expect(await take(resumeFile({ pieces, size: 100 }, { reopen, isLost, waitsMs: [0] }))).toEqual([...FILE]);
});

test("takes the end for the end where a proxy hides the size", async () => {
  const pieces = cut(0, { most: 40, isSilent: true });
  const reopen = () => Promise.reject(new Error("asked again"));
  expect(await take(resumeFile({ pieces, size: Number.NaN }, { reopen, isLost }))).toHaveLength(40);
});

test("asks for nothing where all of it has come", async () => {
  const reopen = () => Promise.reject(new Error("asked again"));
  expect(await take(resumeFile({ at: 100, size: 100 }, { reopen, isLost }))).toEqual([]);
});

test("ends with the last failure where no byte comes any more, and at once with what the server refuses", async () => {
  let asked = 0;
  const lose = async (at: number) => cut(at, { most: asked++ && 0 });
  const losing = take(resumeFile({ size: 100 }, { reopen: lose, isLost, waitsMs: [0, 0, 0] }));
  await expect(losing).rejects.toThrow("terminated");
  expect(asked).toBe(4);
  const refuse = () => Promise.reject(new RangeError("gone"));
  await expect(take(resumeFile({ size: 100 }, { reopen: refuse, isLost }))).rejects.toThrow("gone");
});

test("goes on for nearly the ten minutes that a ticket lasts", async () => {
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  const reopen = () => Promise.reject(new TypeError("fetch failed"));
  await expect(take(resumeFile({ size: 100 }, { reopen, isLost, pause }))).rejects.toThrow("fetch failed");
  const minutes = pauses.reduce((sum, ms) => sum + ms, 0) / 60_000;
  expect(minutes).toBeGreaterThan(9);
  expect(minutes).toBeLessThan(10);
});

test("does not wait for the next try once its signal has ended it", async () => {
  const caller = new AbortController();
  const reopen = () => Promise.reject(new TypeError("fetch failed"));
  const taking = take(
    resumeFile({ size: 100 }, { reopen, isLost, waitsMs: [3_600_000], signal: caller.signal }),
  );
  setTimeout(() => caller.abort(new Error("enough")));
  await expect(taking).rejects.toThrow("enough");
  const before = resumeFile(
    { size: 100 },
    { reopen, isLost, waitsMs: [3_600_000], signal: AbortSignal.abort() },
  );
  await expect(take(before)).rejects.toThrow("aborted");
});
