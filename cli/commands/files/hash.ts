import { Option } from "@commander-js/extra-typings";
import type { HashAlgorithm } from "../../../tools/file-hash.ts";
import { defineCommand, shared, suggest } from "../../definition.ts";
import { EXIT, usageError } from "../../exit.ts";
import { checkFiles, type Hash, type HashResult } from "../../files/checksum-list.ts";
import { checkInputs, forEachFile, inputName, passInput, readInput, STANDARD } from "../../files/input.ts";
import { connectChosen } from "../../server/connect.ts";
import { print, printJson, tellFailure, warn, type Io } from "../../terminal/io.ts";
import { escapeName } from "../../../wire/escaped-name.ts";

export function hashCommand(io: Io) {
  return defineCommand("hash", {
    summary: "Print checksums of files, or check files against a list of them",
    description:
      "Prints SHA-256 as sha256sum does. With -c it compares with a list that sha256sum, b3sum or a BSD tool wrote: all of " +
      "it, or the files that are named. Where a line names no algorithm, all of its length but SHA-3 are tried. Of a folder it lists " +
      "all files below it, and with -c checks those that are listed there and names those that are not. Ends with 1 " +
      "where one does not match or is not listed.",
    examples: [
      "hushkit hash image.iso",
      "hushkit hash -c SHA256SUMS",
      "hushkit hash image.iso -c SHA256SUMS",
      "hushkit hash photos > photos.sha256",
      "hushkit hash photos -c photos.sha256",
    ],
  })
    .argument("[files...]", 'files and folders; "-" is standard input')
    .option("-c, --check <file>", "compare with the checksums in this file")
    .addOption(
      suggest(new Option("-a, --algorithms <names>", "such as sha256,md5").argParser(readNames), [
        "sha256",
        "sha512",
        "sha1",
        "md5",
        "blake3",
      ]),
    )
    .addOption(new Option("--tag", "print lines that name the algorithm, as BSD does").conflicts("check"))
    .addOption(new Option("-z, --zero", "end lines with NUL and escape no name").conflicts("check"))
    .option("--ignore-missing", "with -c: skip listed files that are not there")
    .option("--quiet", "with -c: print no line for a file that matches")
    .option("--status", "with -c: print nothing, only the exit code tells")
    .option("--strict", "with -c: end with 1 for lines that hold no checksum")
    .addOption(shared.server())
    .addOption(shared.json())
    .action(async (files, { check, algorithms, server, json, tag, zero, ...checking }) => {
      checkInputs(check === undefined ? files : [...files, check]);
      if (files.length === 0 && check === undefined) throw usageError("Name a file, or a list with -c.");
      if (check === undefined && Object.values(checking).some((value) => value !== undefined))
        throw usageError("--ignore-missing, --quiet, --status and --strict need a list with -c.");
      const hash = server ? hashThere(io) : await hashHere(io);
      const asked = algorithms && (await checkNames(algorithms));
      if (check !== undefined) return checkFiles(io, { files, check, hash, asked, json, ...checking });
      await forEachFile(io, await listAll(io, files), async (path) => {
        const result = await hash({ path, algorithms: asked ?? ["sha256"] });
        if (json) await printJson(io, { name: path, ...result });
        else await printDigests(io, { path, digests: result.digests, tag, zero });
      });
    });
}

/** The files, and all files in the folders. Says which of what it finds cannot be hashed. */
async function listAll(io: Io, paths: readonly string[]): Promise<string[]> {
  const { isFolder, listFolder, unreadFolder } = await import("../../files/folder.ts");
  const all: string[] = [];
  for (const path of paths) {
    if (path === STANDARD || !isFolder(io, path)) {
      all.push(path);
      continue;
    }
    const { files, others, unread } = await listFolder(io, path);
    for (const file of files) all.push(file);
    for (const folder of unread) await tellFailure(io, unreadFolder(folder).message);
    if (unread.length > 0) io.exitCode = EXIT.usage;
    await warn(
      io,
      others.map((other) => `${inputName(other)}: a link or no file, left out`),
    );
  }
  return all;
}

function readNames(text: string): string[] {
  return text.split(",").map((name) => name.trim().toLowerCase());
}

/** @throws CliError usage for an unknown algorithm */
async function checkNames(names: readonly string[]): Promise<HashAlgorithm[]> {
  const { HASH_ALGORITHMS } = await import("../../../tools/file-hash.ts");
  const known = HASH_ALGORITHMS.filter((name) => names.includes(name));
  if (names.every((name) => known.some((each) => each === name))) return known;
  throw usageError(`-a, --algorithms: takes ${HASH_ALGORITHMS.join(", ")}, separated by commas.`);
}

async function hashHere(io: Io): Promise<Hash> {
  const { createHasher, hashFile } = await import("../../../tools/file-hash.ts");
  const create = async (algorithm: HashAlgorithm) => {
    if (algorithm !== "blake3") return createHasher(algorithm);
    const { createThreadedBlake3 } = await import("../../files/blake3-threads.ts");
    return createThreadedBlake3().catch(() => createHasher(algorithm));
  };
  return ({ path, ...options }) => hashFile(passInput(io, path), { ...options, createHasher: create });
}

function hashThere(io: Io): Hash {
  return async ({ path, ...options }) =>
    (await connectChosen(io)).tools.fileHash.mutate({ file: await readInput(io, path), ...options });
}

// One algorithm is written as sha256sum writes it, which readers know by the digest's length; several are written with
// their names.
async function printDigests(
  io: Io,
  { path, digests, tag, zero }: LineOptions & { path: string; digests: HashResult["digests"] },
): Promise<void> {
  const all = Object.entries(digests);
  for (const [algorithm, hex] of all) {
    const line = { algorithm, hex, name: path };
    await print(io, writeChecksumLine(line, { tag: tag ?? all.length > 1, zero }));
  }
}

/** The form of a line; GNU's own is digest, two spaces, name. */
interface LineOptions {
  /** "SHA256 (name) = digest", which names its algorithm. */
  tag?: boolean | undefined;
  /** Ends lines with NUL instead of a line break, so that no name needs escaping. */
  zero?: boolean | undefined;
}

/**
 * Writes one line of a checksum list, with its end. A line break in a name is escaped: it would start another line,
 * with a checksum that nobody computed. The form is that of GNU coreutils, "cksum output modes".
 */
function writeChecksumLine(
  { algorithm, hex, name }: { algorithm: string; hex: string; name: string },
  { tag, zero }: LineOptions = {},
): string {
  const shown = zero ? name : escapeName(name);
  const mark = shown === name ? "" : "\\";
  const end = zero ? "\0" : "\n";
  // b2sum writes it so, and reads no other spelling.
  const title = algorithm === "blake2b" ? "BLAKE2b" : algorithm.toUpperCase();
  return tag ? `${mark}${title} (${shown}) = ${hex}${end}` : `${mark}${hex}  ${shown}${end}`;
}
