import { basename } from "node:path";
import { Option } from "@commander-js/extra-typings";
import type { Checksum } from "../../../tools/crypto/checksum-text.ts";
import type { HashAlgorithm } from "../../../tools/file-hash.ts";
import { defineCommand, shared } from "../../definition.ts";
import { CliError, EXIT } from "../../exit.ts";
import { checkInputs, readInput, readTextInput, streamInput } from "../../files/input.ts";
import { connectChosen } from "../../server/connect.ts";
import { painter } from "../../terminal/colors.ts";
import { printJson, type Io } from "../../terminal/io.ts";

export function hashCommand(io: Io) {
  return defineCommand("hash", {
    summary: "Print checksums of files, or check files against a list of them",
    description:
      "Prints SHA-256 as sha256sum does. With -c it compares with a list that sha256sum or a BSD tool wrote: all of it, " +
      "or the files that are named. Ends with 1 where one does not match.",
    examples: [
      "hushkit hash image.iso",
      "hushkit hash -c SHA256SUMS",
      "hushkit hash image.iso -c SHA256SUMS",
    ],
  })
    .argument("[files...]", 'the files; "-" is standard input')
    .addOption(new Option("-c, --check <file>", "compare with the checksums in this file"))
    .addOption(new Option("-a, --algorithms <names>", "such as sha256,md5").argParser(readNames))
    .addOption(shared.server())
    .addOption(shared.json())
    .action(async (files, { check, algorithms, server, json }) => {
      checkInputs(check === undefined ? files : [...files, check]);
      if (files.length === 0 && check === undefined)
        throw new CliError(EXIT.usage, "Name a file, or a list with -c.");
      const hash = server ? hashThere(io) : hashHere(io);
      const asked = await checkNames(algorithms ?? ["sha256"]);
      if (check !== undefined) return checkFiles(io, { files, check, hash, asked, json });
      for (const path of files) {
        const result = await hash({ path, algorithms: asked });
        if (json) await printJson(io, { name: path, ...result });
        else await printDigests(io, { path, digests: result.digests });
      }
    });
}

function readNames(text: string): string[] {
  return text.split(",").map((name) => name.trim().toLowerCase());
}

/** @throws CliError usage for a name that is no algorithm */
async function checkNames(names: readonly string[]): Promise<HashAlgorithm[]> {
  const { HASH_ALGORITHMS } = await import("../../../tools/file-hash.ts");
  const known = HASH_ALGORITHMS.filter((name) => names.includes(name));
  if (names.every((name) => known.some((each) => each === name))) return known;
  throw new CliError(
    EXIT.usage,
    `-a, --algorithms: takes ${HASH_ALGORITHMS.join(", ")}, separated by commas.`,
  );
}

interface HashResult {
  readonly digests: Readonly<Record<string, string>>;
  readonly matches?: boolean | undefined;
}

type Hash = (hashing: {
  path: string;
  algorithms: HashAlgorithm[];
  expected?: string;
}) => Promise<HashResult>;

function hashHere(io: Io): Hash {
  return async ({ path, ...options }) => {
    const { hashFile } = await import("../../../tools/file-hash.ts");
    return hashFile(streamInput(io, path), options);
  };
}

function hashThere(io: Io): Hash {
  return async ({ path, ...options }) =>
    (await connectChosen(io)).tools.fileHash.mutate({ file: await readInput(io, path), ...options });
}

// As sha256sum writes it, which tells the algorithm by its length alone; several are told apart by name.
async function printDigests(io: Io, { path, digests }: { path: string; digests: HashResult["digests"] }) {
  const all = Object.entries(digests);
  for (const [algorithm, hex] of all) {
    await io.stdout.write(
      all.length === 1 ? `${hex}  ${path}\n` : `${algorithm.toUpperCase()} (${path}) = ${hex}\n`,
    );
  }
}

interface Checking {
  readonly files: readonly string[];
  readonly check: string;
  readonly hash: Hash;
  readonly asked: HashAlgorithm[];
  readonly json: true | undefined;
}

async function checkFiles(io: Io, { files, check, hash, asked, json }: Checking): Promise<void> {
  const { readChecksums } = await import("../../../tools/crypto/checksum-text.ts");
  const pairs = pairUp(files, readChecksums(await readTextInput(io, check)));
  if (pairs.length === 0)
    throw new CliError(EXIT.usage, "-c, --check: it names no files; name them yourself.");
  const paint = painter(io);
  for (const { path, checksum } of pairs) {
    const { verdict, result } = await checkFile({ path, checksum, hash, asked });
    if (verdict !== "OK") io.exitCode = EXIT.differs;
    if (json) await printJson(io, { name: path, ...result, matches: verdict === "OK" });
    else await io.stdout.write(`${path}: ${paint(verdict === "OK" ? "green" : "red", verdict)}\n`);
  }
}

// A file that cannot be read is told like one that does not match, and the others are checked too.
async function checkFile({ path, checksum, hash, asked }: Pair & Pick<Checking, "hash" | "asked">): Promise<{
  verdict: "OK" | "FAILED" | "NOT LISTED" | "NOT READ";
  result?: HashResult;
}> {
  if (!checksum) return { verdict: "NOT LISTED" };
  const { algorithm, hex } = checksum;
  const known = algorithm
    ? { algorithms: [algorithm], expected: `${algorithm}:${hex}` }
    : { algorithms: asked, expected: hex };
  try {
    const result = await hash({ path, ...known });
    return { verdict: result.matches ? "OK" : "FAILED", result };
  } catch (error) {
    if (error instanceof CliError) return { verdict: "NOT READ" };
    throw error;
  }
}

interface Pair {
  readonly path: string;
  readonly checksum: Checksum | undefined;
}

/** Each file with its checksum: every one of the list, or those that were named. */
function pairUp(files: readonly string[], list: readonly Checksum[]): Pair[] {
  if (files.length === 0) {
    return list.flatMap((checksum) =>
      checksum.name === undefined ? [] : [{ path: checksum.name, checksum }],
    );
  }
  return files.map((path) => {
    const own = list.find(({ name }) => name === path);
    const likely = list.find(({ name }) => name === undefined || basename(name) === basename(path));
    return { path, checksum: own ?? likely };
  });
}
