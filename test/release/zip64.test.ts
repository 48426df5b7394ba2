import { execFileSync } from "node:child_process";
import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeBundle } from "../../tools/bundle/make-bundle.ts";
import { readBundle } from "../../tools/bundle/read-bundle.ts";
import { centralDirectory, localHeader } from "../../tools/zip/zip-records.ts";
import { zipFiles } from "../../tools/zip/zip.ts";
import { utf8, type Bytes } from "../../wire/bytes.ts";
import { placeOf, testWith } from "../machine/skips.ts";
import { unzipBy } from "../tools/support/unzip-by.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const FULL = 2 ** 32 - 1;
const ZEROS = new Uint8Array(2 ** 22);

async function* zeros(size: number): AsyncGenerator<Bytes> {
  for (let left = size; left > 0; left -= ZEROS.length) yield ZEROS.subarray(0, left);
}

async function* once(text: string): AsyncGenerator<Bytes> {
  yield utf8(text);
}

/** Zeros take no room where a file system has holes. */
async function* writeSparse(path: string, pieces: AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  const file = openSync(path, "w");
  let at = 0;
  for await (const piece of pieces) {
    if (piece.buffer !== ZEROS.buffer) writeSync(file, piece, 0, piece.length, at);
    at += piece.length;
    yield piece;
  }
  ftruncateSync(file, at);
  closeSync(file);
}

testWith("python3", "unzip")(
  "gives back a file of over 4 GiB and one behind it, in what other programs take for a sound ZIP",
  async () => {
    const size = FULL + 2;
    const path = join(makeTempFolder(), "made.zip");
    const made = await makeBundle([
      { name: "zeros", size, read: () => zeros(size) },
      { name: "behind.txt", size: 3, read: () => once("abc") },
    ]);
    const parts: unknown[] = [];
    for await (const part of readBundle(writeSparse(path, made.pieces())))
      if (part.is === "file") parts.push([part.name, part.size, part.start]);
    // A local header has 30 bytes, the name, and where the size does not fit into it 20 bytes more.
    expect(parts).toEqual([
      ["zeros", size, 55],
      ["behind.txt", 3, 55 + size + 40],
    ]);
    const code =
      "import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print([(i.filename, i.file_size) for i in z.infolist()], z.read('behind.txt'))";
    const listed = execFileSync("python3", ["-c", code, path], { encoding: "utf8" });
    expect(listed).toBe(`[('zeros', ${size}), ('behind.txt', 3)] b'abc'\n`);
    expect(execFileSync(placeOf("unzip"), ["-t", path], { encoding: "utf8" })).toContain("No errors");
  },
  600_000,
);

for (const program of ["7-Zip", "bsdtar", "a JDK"] as const)
  testWith(program)(
    `${program} reads a file of over 4 GiB and one behind it, which stand in a ZIP of any files`,
    async () => {
      const size = FULL + 2;
      const folder = makeTempFolder();
      const [zip, out] = [join(folder, "made.zip"), join(folder, "out")];
      const made = zipFiles([
        { name: "zeros", size, read: () => zeros(size) },
        { name: "behind.txt", size: 3, read: () => once("abc") },
      ]);
      for await (const _ of writeSparse(zip, made));
      mkdirSync(out);
      unzipBy(program, { zip, folder: out });
      expect(statSync(join(out, "zeros")).size).toBe(size);
      expect(readFileSync(join(out, "behind.txt"), "utf8")).toBe("abc");
    },
    600_000,
  );

test.each([
  [FULL - 1, 0, 31, 47],
  [FULL, 0, 51, 67],
  [FULL, FULL - 1, 51, 67],
  [FULL, FULL, 51, 75],
  [1, FULL, 31, 59],
])("has fields of Zip64 for %d bytes at %d only where they are needed", (size, offset, local, central) => {
  const entry = { name: utf8("a"), crc: 0, size, offset, mode: 0o644 };
  expect(localHeader(entry).length).toBe(local);
  const end = 22;
  expect(centralDirectory([entry], 0).length).toBe(central + end);
  expect(centralDirectory([entry], FULL - 1).length).toBe(central + end);
  expect(centralDirectory([entry], FULL).length).toBe(central + 56 + 20 + end);
});
