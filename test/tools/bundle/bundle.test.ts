import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { makeBundle } from "../../../tools/bundle/make-bundle.ts";
import { readBundle } from "../../../tools/bundle/read-bundle.ts";
import type { ZipFile } from "../../../tools/zip/zip.ts";
import { utf8, type Bytes } from "../../../wire/bytes.ts";
import { placeOf, testWith } from "../../machine/skips.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { collectPieces, inPieces } from "../support/pieces.ts";

const BY_HAND = fileURLToPath(new URL("make-by-hand.py", import.meta.url));
const MESSAGE = "pässwörd 🔑\n";

/** That of the other vectors. */
const content = (length: number) => Uint8Array.from({ length }, (_, i) => 7 * i);

function file(name: string, data: Bytes | string): ZipFile {
  const bytes = typeof data === "string" ? utf8(data) : data;
  return { name, size: bytes.length, read: () => inPieces(bytes, 1000) };
}

async function bundle(files: ZipFile[], message?: string): Promise<Bytes> {
  const made = await makeBundle(files, { message });
  const bytes = await collectPieces(made.pieces());
  expect(bytes.length).toBe(made.size);
  return bytes;
}

/** All that is in it, as text. */
async function read(source: Bytes | Blob | AsyncIterable<Bytes>): Promise<string[][]> {
  const parts: string[][] = [];
  for await (const part of readBundle(source)) {
    if (part.is === "message") parts.push(["(message)", part.text]);
    else parts.push([part.name, Buffer.from(await collectPieces(part.pieces)).toString("latin1")]);
  }
  return parts;
}

test("gives back a message and files, from a stream of pieces of any size", async () => {
  const bytes = await bundle(
    [file("a.txt", "one"), file("naïve.bin", content(70_000)), file("empty", "")],
    MESSAGE,
  );
  const expected = [
    ["(message)", MESSAGE],
    ["a.txt", "one"],
    ["naïve.bin", Buffer.from(content(70_000)).toString("latin1")],
    ["empty", ""],
  ];
  for (const size of [1, 29, 30, 31, 4096, bytes.length])
    expect(await read(inPieces(bytes, size))).toEqual(expected);
});

test("tells a page which part of a Blob a file is, and checks what nobody reads", async () => {
  const bytes = await bundle([file("a.txt", "one"), file("b.txt", "two")], MESSAGE);
  const blob = new Blob([bytes]);
  const slices: string[] = [];
  for await (const part of readBundle(blob))
    if (part.is === "file") slices.push(await blob.slice(part.start, part.start + part.size).text());
  expect(slices).toEqual(["one", "two"]);
  bytes[bytes.indexOf(0x6f)]! ^= 1;
  await expect(async () => {
    for await (const _ of readBundle(bytes));
  }).rejects.toMatchObject({ code: "damaged_file" });
});

test("goes on with the next file where one was read to its middle only", async () => {
  const bytes = await bundle([file("a.bin", content(9000)), file("b.txt", "two")]);
  const names: string[] = [];
  for await (const part of readBundle(inPieces(bytes, 500))) {
    if (part.is === "message") continue;
    names.push(part.name);
    for await (const _ of part.pieces) break;
  }
  expect(names).toEqual(["a.bin", "b.txt"]);
});

test("cleans names, numbers equal ones and keeps the message's for the message", async () => {
  const long = "ü".repeat(125) + ".txt";
  const names = ["x/a.txt", "A.TXT", "../../etc/passwd", "Message.txt", long, long, "nul", ""];
  const made = await makeBundle(names.map((name) => file(name, name)));
  const given = [
    "a.txt",
    "A-2.TXT",
    "passwd",
    "Message-2.txt",
    long,
    "ü".repeat(124) + "-2.txt",
    "_nul",
    "file",
  ];
  expect(made.names).toEqual(given);
  expect((await read(made.pieces())).map(([name]) => name)).toEqual(given);
});

test("the same files give the same bytes, without a time", async () => {
  const make = () => bundle([file("a", "1")], "hello");
  expect(await make()).toEqual(await make());
});

test("takes 20 files and a message, and no more", async () => {
  const files = Array.from({ length: 21 }, (_, i) => file(`${i}.txt`, `${i}`));
  expect(await read(await bundle(files.slice(1), "hello"))).toHaveLength(21);
  const tooMany = { code: "too_many_files", fields: { value: 20, actual: 21 } };
  await expect(makeBundle(files)).rejects.toMatchObject(tooMany);
  const tooLong = { code: "text_too_large", fields: { value: 2_000_000, actual: 2_000_001 } };
  await expect(makeBundle([], { message: "x".repeat(2_000_001) })).rejects.toMatchObject(tooLong);
  expect(await read(await bundle([], "x".repeat(2_000_000)))).toHaveLength(1);
});

test.each([
  ["another content", "onf"],
  ["a longer one", "ones"],
  ["a shorter one", "on"],
])("refuses a file that has %s when it is read once more", async (_, later) => {
  let reads = 0;
  const changing = { name: "a", size: 3, read: () => inPieces(utf8(reads++ === 0 ? "one" : later), 2) };
  const made = await makeBundle([file("b", "2"), changing]);
  const failure = { code: "damaged_file", fields: { file: 1 } };
  await expect(collectPieces(made.pieces())).rejects.toMatchObject(failure);
  const wrong = { ...file("a", "one"), size: 4 };
  await expect(makeBundle([wrong])).rejects.toMatchObject({ ...failure, fields: { file: 0 } });
});

/** The vector of docs/formats.md. */
const VECTOR = "35c1b71ee9708627de7b617fa4bc409c7e87deda00da073b4a84e30608f8a8d0";

test("makes the bytes of the vector", async () => {
  const bytes = await bundle([file("naïve name.txt", content(65_537)), file("empty.bin", "")], MESSAGE);
  expect([bytes.length, createHash("sha256").update(bytes).digest("hex")]).toEqual([65_873, VECTOR]);
});

testWith("python3")("makes the bytes that the standard's text gives another program", async () => {
  const folder = makeTempFolder();
  writeFileSync(join(folder, "message"), MESSAGE);
  writeFileSync(join(folder, "content"), content(65_537));
  writeFileSync(join(folder, "empty"), "");
  const entries = ["message.txt=message", "naïve name.txt=content", "empty.bin=empty"];
  execFileSync("python3", [BY_HAND, "out.zip", ...entries], {
    cwd: folder,
    env: { ...process.env, PYTHONUTF8: "1" },
  });
  const made = readFileSync(join(folder, "out.zip"));
  expect(createHash("sha256").update(made).digest("hex")).toBe(VECTOR);
});

testWith("python3", "unzip")("is a ZIP that other programs test, list and take apart", async () => {
  const folder = makeTempFolder();
  const path = join(folder, "made.zip");
  writeFileSync(path, await bundle([file("ünï.bin", content(100_000)), file("empty", "")], MESSAGE));
  const env = { ...process.env, PYTHONUTF8: "1", LC_ALL: "C.UTF-8" };
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { env, cwd: folder, encoding: "utf8" });
  const code = "import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(z.testzip(), z.namelist())";
  expect(run("python3", "-c", code, path)).toBe("None ['message.txt', 'ünï.bin', 'empty']\n");
  expect(run(placeOf("unzip"), "-t", path)).toContain("No errors detected");
  run(placeOf("unzip"), path);
  expect(readFileSync(join(folder, "ünï.bin")).equals(Buffer.from(content(100_000)))).toBe(true);
});

testWith("zip")("reads what Info-ZIP stores", async () => {
  const folder = makeTempFolder();
  for (const name of ["message.txt", "b.txt"]) writeFileSync(join(folder, name), name);
  execFileSync("zip", ["-0", "-q", "made.zip", "message.txt", "b.txt"], { cwd: folder });
  const parts = await read(new Uint8Array(readFileSync(join(folder, "made.zip"))));
  expect(parts).toEqual([
    ["(message)", "message.txt"],
    ["b.txt", "b.txt"],
  ]);
});
