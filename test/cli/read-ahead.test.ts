// process
// Files that are read in pieces of a mebibyte of one buffer, while the piece before is worked on.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { createWriteStream, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { blake3 } from "@noble/hashes/blake3.js";
import { bytesToHex } from "../../tools/hash/checksum-text.ts";
import { openShell } from "./support/terminal.ts";

const PIECE = 2 ** 20;
const env = { HUSHKIT_PASSWORD: "correct horse" };

/** Bytes that differ from each other in every piece, so that none can stand for another. */
function content(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0, word = 1; at + 4 <= length; at += 4) {
    word = (Math.imul(word, 1_664_525) + 1_013_904_223) >>> 0;
    bytes.writeUInt32LE(word, at);
  }
  return bytes;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const LENGTHS = [0, 1, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE, 5 * PIECE + 65_535];

test.each(LENGTHS)("a file of %i bytes is hashed, locked and opened in both formats", async (length) => {
  const shell = openShell();
  const bytes = content(length);
  writeFileSync(shell.path("big.bin"), bytes);
  const hashed = await shell.run(["hash", "-a", "sha256,blake3", "--json", "big.bin"]);
  const digests = { sha256: sha256(bytes), blake3: bytesToHex(blake3(bytes)) };
  expect(JSON.parse(hashed.out)).toMatchObject({ size: length, digests });

  await shell.run(["keygen", "-o", "me.txt"]);
  const recipient = (await shell.run(["keygen", "-o", "you.txt"])).out.trim();
  for (const lock of [["lock"], ["lock", "-r", recipient], ["lock", "-r", recipient, "-a"]]) {
    expect(await shell.run([...lock, "-o", "locked", "--force", "big.bin"], { env })).toMatchObject({
      code: 0,
    });
    const unlock = ["unlock", "-i", "me.txt", "-i", "you.txt", "-o", "opened", "--force", "locked"];
    const opened = await shell.run(lock.length === 1 ? ["unlock", ...unlock.slice(5)] : unlock, { env });
    expect(opened).toMatchObject({ code: 0 });
    expect(sha256(readFileSync(shell.path("opened")))).toBe(sha256(bytes));
  }
});

test("a key file of several pieces opens what it locked", async () => {
  const shell = openShell();
  writeFileSync(shell.path("home.key"), content(2 * PIECE + 5));
  writeFileSync(shell.path("note.txt"), "for later");
  expect(await shell.run(["lock", "--key-file", "home.key", "note.txt"])).toMatchObject({ code: 0 });
  const opened = await shell.run(["unlock", "--key-file", "home.key", "note.txt.locked", "-o", "-"]);
  expect(opened).toMatchObject({ code: 0, out: "for later" });
});

test("what comes slowly through a named pipe is read as it comes", async () => {
  const shell = openShell();
  execFileSync("mkfifo", [shell.path("pipe")]);
  const hashing = shell.run(["hash", "--json", "pipe"]);
  const writer = createWriteStream(shell.path("pipe"));
  for (const part of ["one ", "two ", "three"]) writer.write(part);
  writer.end();
  expect(JSON.parse((await hashing).out)).toMatchObject({
    size: 13,
    digests: { sha256: sha256(Buffer.from("one two three")) },
  });
});

test("a folder in place of a file is told, and a file that is not there", async () => {
  const shell = openShell();
  execFileSync("mkdir", [shell.path("folder")]);
  expect(await shell.run(["lock", "folder"], { env })).toMatchObject({
    code: 2,
    err: expect.stringContaining("this is a folder"),
  });
  expect(await shell.run(["unlock", "nowhere"], { env })).toMatchObject({
    code: 2,
    err: expect.stringContaining("there is no such file"),
  });
});

// From 16 MiB on, threads help.
test.each([17 * PIECE, 40 * PIECE + 1])("BLAKE3 of %i bytes is that of another program", async (length) => {
  const shell = openShell();
  const bytes = content(length);
  writeFileSync(shell.path("big.bin"), bytes);
  const { out } = await shell.run(["hash", "-a", "blake3", "big.bin"]);
  expect(out).toBe(`${bytesToHex(blake3(bytes))}  big.bin\n`);
});
