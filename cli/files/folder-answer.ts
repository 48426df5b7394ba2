import { EXIT, usageError } from "../exit.ts";
import { painter, print, printJson, type Io, warn } from "../terminal/io.ts";
import {
  decodeLatin1,
  decodeText,
  type DecodedText,
  type TextComparer,
  type TextOptions,
} from "./comparison.ts";
import { formatChange, needsGap, type FolderChange, type QuotePath } from "./folder-patch.ts";
import { isSameData, type Bytes } from "../../wire/bytes.ts";
import { warningSentence } from "../../wire/tool-warning.ts";
import { listEntries, type FolderEntry } from "./folder.ts";
import { inputName } from "./input.ts";

/** Shows what differs between two folders: as a patch, a list or JSON. @throws CliError usage by word or character */
export async function showFolders(
  io: Io,
  of: { a: string; b: string; compare: TextComparer; options: TextOptions; json: boolean | undefined },
): Promise<void> {
  if (of.options.granularity !== "line")
    throw usageError("Folders are compared by line; leave out --words and --chars.");
  const { quotePath } = await import("../../tools/text/output/patch-names.ts");
  const isPatch = of.options.format === "unified";
  const changes: FolderChange[] = [];
  let before: FolderChange | undefined;
  for await (const change of compareFolders(io, of)) {
    io.exitCode = EXIT.differs;
    if (of.json) changes.push(change);
    else await show(io, { change, before, isPatch, quotePath });
    before = change;
  }
  if (of.json) await printJson(io, describeChanges(changes, isPatch, quotePath));
}

async function show(
  io: Io,
  of: { change: FolderChange; before: FolderChange | undefined; isPatch: boolean; quotePath: QuotePath },
): Promise<void> {
  const { change, quotePath } = of;
  if (!of.isPatch) return print(io, `${LETTERS[statusOf(change)]}\t${quotePath(change.path)}\n`);
  if (needsGap(of.before, change)) await print(io, "\n");
  await print(io, formatChange(change, quotePath, painter(io)));
}

/** The letters of `git diff --name-status`. */
const LETTERS = { added: "A", removed: "D", changed: "M" } as const;

function statusOf({ a, b }: FolderChange): keyof typeof LETTERS {
  if (!a) return "added";
  return b ? "changed" : "removed";
}

function describeChanges(changes: readonly FolderChange[], isPatch: boolean, quotePath: QuotePath) {
  const files = changes.map((change) => ({
    path: change.path,
    status: statusOf(change),
    binary: change.isBinary || undefined,
  }));
  const plain = (_: string, text: string) => text;
  const parts = changes.map((change, i) => {
    const gap = needsGap(changes[i - 1], change) ? "\n" : "";
    // JSON holds text, so the bytes of Latin-1 appear as its letters.
    return gap + Buffer.from(formatChange({ ...change, isBytes: false }, quotePath, plain)).toString();
  });
  return { identical: changes.length === 0, files, patch: isPatch ? parts.join("") : undefined };
}

interface FolderComparison {
  readonly compare: TextComparer;
  readonly options: TextOptions;
}

/** The differences between two folders, in git's order. */
async function* compareFolders(
  io: Io,
  { a, b, ...comparing }: FolderComparison & { a: string; b: string },
): AsyncGenerator<FolderChange, void> {
  const entries = { a: await listEntries(io, a), b: await listEntries(io, b) };
  for (const path of sortPaths([...entries.a.keys(), ...entries.b.keys()])) {
    for (const pair of pairsOf(entries.a.get(path), entries.b.get(path))) {
      const change = await compareEntries(io, { path, ...pair, ...comparing });
      if (change) yield change;
    }
  }
}

/** Sorts by the bytes of the names, folder by folder. */
function sortPaths(paths: readonly string[]): string[] {
  const keyOf = (path: string) => Buffer.from(path.replaceAll("/", "\0"));
  const keyed = [...new Set(paths)].map((path) => ({ path, key: keyOf(path) }));
  return keyed.toSorted((one, other) => Buffer.compare(one.key, other.key)).map(({ path }) => path);
}

interface EntryPair {
  readonly a: FolderEntry | undefined;
  readonly b: FolderEntry | undefined;
}

/** A file that takes the place of a link is a different file: one is removed and one is added. */
function pairsOf(a: FolderEntry | undefined, b: FolderEntry | undefined): EntryPair[] {
  const isSameKind = !a || !b || (a.mode === "120000") === (b.mode === "120000");
  return isSameKind
    ? [{ a, b }]
    : [
        { a, b: undefined },
        { a: undefined, b },
      ];
}

async function compareEntries(
  io: Io,
  { path, a, b, ...comparing }: EntryPair & FolderComparison & { path: string },
): Promise<FolderChange | undefined> {
  const [bytesA, bytesB] = [await a?.read(), await b?.read()];
  const base = { path, a, b, isBinary: false, hunks: "", isBytes: false };
  const isOtherMode = a?.mode !== b?.mode;
  if (bytesA && bytesB && isSameData(bytesA, bytesB)) return isOtherMode ? base : undefined;
  const texts = await textsOf(bytesA, bytesB);
  if (!texts) return { ...base, isBinary: true };
  if (texts.isBytes) await warn(io, [`${inputName(path)}: read as Latin-1.`]);
  const hunks = await findHunks(io, { path, texts, isOneSided: !a || !b, ...comparing });
  return hunks === "" && !isOtherMode ? undefined : { ...base, hunks, isBytes: texts.isBytes };
}

interface ComparedTexts {
  readonly a: string;
  readonly b: string;
  readonly isBytes: boolean;
}

/** Undefined for binary files, which for git include UTF-16. Latin-1 is compared as bytes, so that a patch fits. */
async function textsOf(
  a: Bytes = new Uint8Array(),
  b: Bytes = new Uint8Array(),
): Promise<ComparedTexts | undefined> {
  const [textA, textB] = [await decodeText(a), await decodeText(b)];
  if (!textA || !textB || isUtf16(textA) || isUtf16(textB)) return undefined;
  const isBytes = [textA, textB].some(({ encoding }) => encoding === "Latin-1");
  return isBytes
    ? { a: decodeLatin1(a), b: decodeLatin1(b), isBytes }
    : { a: textA.text, b: textB.text, isBytes };
}

function isUtf16({ encoding }: DecodedText): boolean {
  return encoding === "UTF-16LE" || encoding === "UTF-16BE";
}

/** The hunks of one file's patch; empty where the options ignore all differences. */
async function findHunks(
  io: Io,
  of: FolderComparison & { path: string; texts: ComparedTexts; isOneSided: boolean },
): Promise<string> {
  const { a, b } = of.texts;
  // A file that is in one folder only is shown with all of its lines, blank ones too.
  const strict = { ignoreBlankLines: false, ignoreWhitespace: "none" } as const;
  const options = { ...of.options, ...(of.isOneSided ? strict : {}), format: "unified" } as const;
  const comparison = await of.compare({ a, b }, options);
  const notes = (comparison.warnings ?? []).map(warningSentence);
  await warn(
    io,
    notes.map((sentence) => `${inputName(of.path)}: ${sentence}`),
  );
  if (comparison.format !== "unified") return "";
  const names = comparison.patch.indexOf("\n", comparison.patch.indexOf("\n") + 1) + 1;
  return comparison.patch.slice(names);
}
