import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { collectBytes } from "../../../tools/crypto/chunks.ts";
import { type ZipFile, zipFiles, ZipWriter } from "../../../tools/zip/zip.ts";
import { utf8 } from "../../../wire/bytes.ts";
import { createPageJobs } from "../../../web/work/jobs.ts";
import { testWith } from "../../machine/skips.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { readDirectory, readForward } from "../support/read-zip.ts";
import { unzipBy, UNZIPPERS } from "../support/unzip-by.ts";

function file(name: string, ...pieces: string[]): ZipFile {
  const read = () => pieces.map((one) => utf8(one));
  return { name, size: utf8(pieces.join("")).length, read };
}

async function zip(files: readonly ZipFile[]): Promise<Buffer> {
  return Buffer.from(await collectBytes(zipFiles(files)));
}

/** Names and contents as a reader finds them that goes forward; the list at the end must name the same. */
function read(made: Buffer): [string, string][] {
  const { entries } = readForward(made);
  expect(readDirectory(made).map(({ name }) => name)).toEqual(entries.map(({ name }) => name));
  return entries.map(({ name, data }) => [name, data.toString()]);
}

const FILES = [
  file("a.txt", "one ", "two"),
  file("naïve – ünï.txt", "ü"),
  file("日本語 🔑.txt", "x".repeat(100_000)),
  file("empty"),
];
const CONTENTS: [string, string][] = [
  ["a.txt", "one two"],
  ["naïve – ünï.txt", "ü"],
  ["日本語 🔑.txt", "x".repeat(100_000)],
  ["empty", ""],
];

test("a ZIP holds the files with their names, sizes and sums before each", async () => {
  expect(read(await zip(FILES))).toEqual(CONTENTS);
  expect(read(await zip([]))).toEqual([]);
});

test("its files are those of anybody on Unix, at a time that tells no time zone", async () => {
  const listed = readDirectory(await zip(FILES));
  const [UNIX, FIRST_OF_1980] = [3, 0x0021];
  for (const { madeBy, attributes, date, time } of listed)
    expect([madeBy, (attributes >>> 16).toString(8), date, time]).toEqual([UNIX, "100644", FIRST_OF_1980, 0]);
});

for (const program of UNZIPPERS)
  testWith(program)(`${program} takes it apart`, async () => {
    const [made, folder] = [join(makeTempFolder(), "made.zip"), join(makeTempFolder(), "out")];
    writeFileSync(made, await zip(FILES));
    mkdirSync(folder);
    unzipBy(program, { zip: made, folder });
    const found = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(CONTENTS));
  });

test("equal names get a number, and none leads out of the folder", async () => {
  const names = ["a.txt", "A.TXT", "x/a.txt", "../../etc/passwd", "a"];
  const given = ["a.txt", "A-2.TXT", "a-3.txt", "passwd", "a"];
  expect(read(await zip(names.map((name) => file(name, name))))).toEqual(
    given.map((name, i) => [name, names[i]]),
  );
});

test("holds 70,000 files of one name, which is more than a ZIP without Zip64 can say", async () => {
  const made = await zip(Array.from({ length: 70_000 }, (_, i) => file("a.txt", `${i}`)));
  const entries = read(made);
  expect(entries).toHaveLength(70_000);
  expect([entries[0], entries.at(-1)]).toEqual([
    ["a.txt", "0"],
    ["a-70000.txt", "69999"],
  ]);
});

test.each([65_534, 65_535])("says that it has %i entries", (count) => {
  const writer = new ZipWriter();
  const headers = Array.from({ length: count }, (_, i) => writer.add({ name: `${i}`, size: 0, crc: 0 }));
  const made = Buffer.concat([...headers, writer.end()]);
  expect(readDirectory(made)).toHaveLength(count);
  expect(writer.size).toBe(made.length);
});

test("shortens a name of 64 kB, and the records themselves refuse one that has no room in them", async () => {
  const [[name = ""] = []] = read(await zip([file(`${"ü".repeat(40_000)}.txt`, "a")]));
  expect(name).toBe(`${"ü".repeat(125)}.txt`);
  const writer = new ZipWriter();
  const longest = writer.add({ name: "a".repeat(65_535), size: 0, crc: 0 });
  expect(readForward(Buffer.concat([longest, writer.end()])).entries[0]?.name).toHaveLength(65_535);
  expect(() => writer.add({ name: "a".repeat(65_536), size: 0, crc: 0 })).toThrow(
    expect.objectContaining({
      code: "invalid_parameter",
      fields: { parameter: "filename", maximum: 65_535 },
    }),
  );
});

test.each([
  ["longer", "ones"],
  ["shorter", "on"],
  ["other", "onf"],
])("refuses a file that is a %s one when its content is read", async (_, later) => {
  let reads = 0;
  const changing = { name: "b", size: 3, read: () => [utf8(reads++ === 0 ? "one" : later)] };
  const failure = { code: "damaged_file", fields: { file: 1 } };
  await expect(zip([file("a", "1"), changing])).rejects.toMatchObject(failure);
  await expect(zip([file("a", "1"), { ...file("b", later), size: 5 }])).rejects.toMatchObject(failure);
});

test("the same files give the same bytes in every time zone", async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  const zips = [];
  for (const zone of ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
    vi.stubEnv("TZ", zone);
    zips.push(await zip([file("a.txt", "one")]));
  }
  expect(zips[1]).toEqual(zips[0]);
  expect(zips[2]).toEqual(zips[0]);
});

test("a page makes the same ZIP of files, which it reads once", async () => {
  const reads: string[] = [];
  async function* chunksOf(given: File) {
    reads.push(given.name);
    yield new Uint8Array(await given.arrayBuffer());
  }
  const jobs = createPageJobs({ chunksOf, onProgress: () => {} });
  const files = CONTENTS.map(([name, content]) => new File([content], name));
  const made = await jobs.zipFiles(files);
  expect(Buffer.from(await made.arrayBuffer())).toEqual(await zip(FILES));
  expect(reads).toEqual(CONTENTS.map(([name]) => name));
});
