import { basename, resolve } from "node:path";
import { ToolFailure } from "../../wire/tool-failure.ts";
import type { Checksum } from "../../tools/hash/checksum-text.ts";
import type { HashAlgorithm } from "../../tools/file-hash.ts";
import { showName } from "../../wire/escaped-name.ts";
import { CliError, EXIT, usageError } from "../exit.ts";
import { painter, complain, print, printJson, tellFailure, type Io } from "../terminal/io.ts";
import { inputName, isMissing, readChecksumList, STANDARD } from "./input.ts";

export interface HashResult {
  readonly digests: Readonly<Record<string, string>>;
  readonly matches?: boolean | undefined;
}

export type Hash = (hashing: {
  path: string;
  algorithms: HashAlgorithm[];
  expected?: string;
}) => Promise<HashResult>;

interface ChecksumCheck {
  readonly files: readonly string[];
  readonly check: string;
  readonly hash: Hash;
  /** The algorithms to try where a line names none; undefined for all whose digests have the right length. */
  readonly asked: readonly HashAlgorithm[] | undefined;
  readonly json?: true | undefined;
  readonly ignoreMissing?: true | undefined;
  readonly quiet?: true | undefined;
  readonly status?: true | undefined;
  readonly strict?: true | undefined;
}

type ListOptions = Pick<ChecksumCheck, "hash" | "asked"> &
  Pick<typeof import("../../tools/hash/checksum-text.ts"), "algorithmsOfLength">;

type Verdict = "OK" | "FAILED" | "FAILED open or read" | "NOT LISTED";
type CheckResult = { verdict: Verdict; result?: HashResult; reason?: string };

/** Checks files against a list, as `sha256sum -c` does; the exit code tells the result too. */
export async function checkFiles(io: Io, checksumCheck: ChecksumCheck): Promise<void> {
  const { algorithmsOfLength, countImproperLines, readChecksums } =
    await import("../../tools/hash/checksum-text.ts");
  const text = await readChecksumList(io, checksumCheck.check);
  const list = readListed(() => readChecksums(text), checksumCheck.check);
  const pairs = await pairAll(io, { ...checksumCheck, list });
  if (pairs.length === 0) throw usageError("-c, --check: it names no files; name them yourself.");
  const counts = new Map<Verdict, number>();
  for (const pair of pairs) {
    if (checksumCheck.ignoreMissing && (await isMissing(io, pair.path))) continue;
    const checked = await checkFile(pair, { ...checksumCheck, algorithmsOfLength });
    counts.set(checked.verdict, (counts.get(checked.verdict) ?? 0) + 1);
    await tellVerdict(io, { path: pair.path, checked, checksumCheck });
  }
  // A digest without a name matches no file where the list was to cover named files.
  const nameless = checksumCheck.files.length > 0 ? [] : list.filter(({ name }) => name === undefined);
  await summarize(io, checksumCheck, { counts, improper: countImproperLines(text) + nameless.length });
}

/** An error in a list names the list's file: the user has given no parameter. */
function readListed<List>(read: () => List, path: string): List {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    const sentence = error.message.replace(/^Parameter "expected"/, "this");
    throw usageError(`${inputName(path)}: ${sentence}.`);
  }
}

// A file that cannot be read is reported like one that does not match, and the others are still checked.
async function checkFile({ path, checksum }: Pair, options: ListOptions): Promise<CheckResult> {
  if (!checksum) return { verdict: "NOT LISTED" };
  try {
    const result = await hashAsListed(path, checksum, options);
    return { verdict: result.matches ? "OK" : "FAILED", result };
  } catch (error) {
    if (error instanceof CliError) return { verdict: "FAILED open or read", reason: error.message };
    throw error;
  }
}

/**
 * One algorithm after the other: computing all of the same length costs several times as much, and the usual one mostly
 * matches.
 */
async function hashAsListed(
  path: string,
  checksum: Checksum,
  { hash, asked, algorithmsOfLength }: ListOptions,
): Promise<HashResult> {
  const { hex, algorithm } = checksum;
  const possible = algorithmsOfLength(hex, asked);
  const wanted = asked ? possible.filter((one) => asked.includes(one)) : possible;
  // Standard input can be read only once, so all are computed together.
  if (!algorithm && path === STANDARD) return hash({ path, algorithms: wanted, expected: hex });
  const [first, ...others] = algorithm ? [algorithm] : wanted.length > 0 ? wanted : possible;
  const result = await tryAlgorithm(first);
  for (const other of result.matches ? [] : others) {
    const second = await tryAlgorithm(other);
    if (second.matches) return second;
  }
  return result;

  async function tryAlgorithm(one: HashAlgorithm | undefined): Promise<HashResult> {
    return hash({ path, algorithms: one ? [one] : [], expected: one ? `${one}:${hex}` : hex });
  }
}

async function tellVerdict(
  io: Io,
  { path, checked, checksumCheck }: { path: string; checked: CheckResult; checksumCheck: ChecksumCheck },
): Promise<void> {
  const { verdict, result, reason } = checked;
  const { json, quiet, status } = checksumCheck;
  if (verdict !== "OK") io.exitCode = EXIT.differs;
  // sha256sum prints the reason with --status too.
  if (reason !== undefined) await complain(io.stderr, `hushkit: ${reason}\n`);
  if (status || (quiet && verdict === "OK")) return;
  const paint = painter(io);
  if (json) await printJson(io, { name: path, ...result, matches: verdict === "OK", reason });
  else {
    const painted = paint(verdict === "OK" ? "green" : "red", verdict);
    await print(io, `${showName(path)}: ${painted}\n`);
  }
}

async function summarize(
  io: Io,
  { strict, status }: ChecksumCheck,
  { counts, improper }: { counts: ReadonlyMap<Verdict, number>; improper: number },
): Promise<void> {
  if (improper > 0 && strict) io.exitCode = EXIT.differs;
  const isNothingChecked = counts.size === 0;
  if (isNothingChecked) io.exitCode = EXIT.differs;
  if (status) return;
  const lines = [
    plural(improper, ["line is improperly formatted", "lines are improperly formatted"]),
    plural(counts.get("FAILED open or read"), [
      "listed file could not be read",
      "listed files could not be read",
    ]),
    plural(counts.get("FAILED"), ["computed checksum did NOT match", "computed checksums did NOT match"]),
    plural(counts.get("NOT LISTED"), ["file is not on the list", "files are not on the list"]),
  ];
  for (const line of lines) if (line) await complain(io.stderr, `hushkit: WARNING: ${line}\n`);
  if (isNothingChecked) await complain(io.stderr, "hushkit: no file was verified\n");
}

function plural(count: number | undefined, [one, many]: readonly [string, string]): string | undefined {
  return count ? `${count} ${count === 1 ? one : many}` : undefined;
}

interface Pair {
  readonly path: string;
  readonly checksum: Checksum | undefined;
}

/** The files and folders with their lines in the list; for a folder, what is listed there and what is not. */
async function pairAll(
  io: Io,
  { files, check, list }: Pick<ChecksumCheck, "files" | "check"> & { readonly list: readonly Checksum[] },
): Promise<Pair[]> {
  if (files.length === 0) return allListed(list);
  const findLine = finderIn(list);
  const { isFolder } = await import("./folder.ts");
  const pairs: Pair[] = [];
  for (const path of files) {
    const isWhole = path !== STANDARD && isFolder(io, path);
    const own = isWhole
      ? await pairFolder(io, { folder: path, check, list })
      : [{ path, checksum: findLine(path) }];
    for (const pair of own) pairs.push(pair);
  }
  return pairs;
}

async function pairFolder(
  io: Io,
  { folder, check, list }: { folder: string; check: string; list: readonly Checksum[] },
): Promise<Pair[]> {
  const { isBelow, listFolder, unreadFolder } = await import("./folder.ts");
  const absolute = (path: string) => resolve(io.cwd, path);
  // The list may lie in the folder itself, where it was still empty when it was begun.
  const isHere = (path: string) =>
    isBelow(absolute(folder), absolute(path)) && absolute(path) !== absolute(check);
  const listed = allListed(list).filter(({ path }) => isHere(path));
  const known = new Set([...listed.map(({ path }) => absolute(path)), absolute(check)]);
  const { files, unread } = await listFolder(io, folder);
  for (const each of unread) await tellFailure(io, unreadFolder(each).message);
  if (unread.length > 0) io.exitCode = EXIT.differs;
  const isNew = (path: string) => !known.has(absolute(path));
  return [...listed, ...files.filter(isNew).map((path) => ({ path, checksum: undefined }))];
}

function allListed(list: readonly Checksum[]): Pair[] {
  return list.flatMap((checksum) => (checksum.name === undefined ? [] : [{ path: checksum.name, checksum }]));
}

/** Finds the line for a file: the first with its path, or else the first with its name or without one. */
function finderIn(list: readonly Checksum[]): (path: string) => Checksum | undefined {
  const nameless = list.findIndex(({ name }) => name === undefined);
  const own = firstBy(list, (name) => name);
  const likely = firstBy(nameless < 0 ? list : list.slice(0, nameless), basename);
  return (path) => own.get(path) ?? likely.get(basename(path)) ?? list[nameless];
}

function firstBy(list: readonly Checksum[], keyOf: (name: string) => string): Map<string, Checksum> {
  const found = new Map<string, Checksum>();
  for (const checksum of list.toReversed())
    if (checksum.name !== undefined) found.set(keyOf(checksum.name), checksum);
  return found;
}
