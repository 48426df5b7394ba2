import { Option } from "@commander-js/extra-typings";
import type { TextComparison } from "../../../tools/text-compare.ts";
import { warningSentence } from "../../../wire/tool-warning.ts";
import { defineCommand, shared, wholeNumberOf } from "../../definition.ts";
import { EXIT } from "../../exit.ts";
import {
  encodePatch,
  formatPatch,
  formatRows,
  formatSpans,
  comparerOf,
  decodeLatin1,
  decodeText,
  type DecodedText,
  type TextComparer,
  type TextOptions,
} from "../../files/comparison.ts";
import { showFolders } from "../../files/folder-answer.ts";
import { isFolder, NOWHERE } from "../../files/folder.ts";
import { STANDARD, checkInputs, inputName, readInput } from "../../files/input.ts";
import { painter, print, printJson, warn, type Io } from "../../terminal/io.ts";
import { isSameData, type Bytes } from "../../../wire/bytes.ts";
import { showName } from "../../../wire/escaped-name.ts";

const MAX_NAME = 255;

export function diffCommand(io: Io) {
  return defineCommand("diff", {
    summary: "Compare two texts by line, word or character",
    description:
      "Shows the lines that differ with their numbers, three lines of context around them. Ends with 1 where the " +
      "texts differ and prints nothing where they do not. Files in UTF-16 with a byte order mark and in Latin-1 are " +
      "read as such, with a warning; of binary files it only says that they differ. Of two folders it lists what was " +
      "added (A), removed (D) and changed (M), or with -u writes a patch of all of it.",
    examples: [
      "hushkit diff old.txt new.txt",
      "hushkit diff old.txt new.txt -u > change.patch",
      "hushkit diff a b --words",
      "hushkit diff --moved old.ts new.ts",
      "hushkit diff -u old/ new/ > change.patch",
    ],
  })
    .argument("<a>", 'the first text; "-" is standard input; or a folder')
    .argument("<b>", "the second text, or a folder")
    .addOption(new Option("--words", "by word, as [-old-]{+new+}").conflicts(["unified", "chars"]))
    .addOption(new Option("--chars", "by character, as [-old-]{+new+}").conflicts("unified"))
    .option("-u, --unified", "a unified diff, which patch and git apply take")
    .option("-i, --ignore-case", "take upper and lower case as equal", false)
    .option("-w, --ignore-all-space", "ignore all white space, as diff -w does", false)
    .addOption(
      new Option("-b, --ignore-space-change", "take runs of blanks as one, and none at line ends").default(
        false,
      ),
    )
    .addOption(
      new Option("-B, --ignore-blank-lines", "as diff -B does").default(false).conflicts(["words", "chars"]),
    )
    .addOption(
      new Option("--moved", "mark blocks of lines that stand elsewhere in the other text")
        .default(false)
        .conflicts(["words", "chars", "unified"]),
    )
    .option("--context <n>", "lines around each change", wholeNumberOf({ minimum: 0, maximum: 100 }), 3)
    .addOption(shared.server())
    .addOption(shared.json())
    .action(
      async (a, b, { words, chars, unified, server, json, ignoreAllSpace, ignoreSpaceChange, ...rules }) => {
        const granularity = words ? "word" : chars ? "character" : "line";
        const format = unified ? "unified" : "json";
        // As in GNU diff, -w wins over -b where both are given.
        const ignoreWhitespace = ignoreAllSpace ? "all" : ignoreSpaceChange ? "amount" : "none";
        const options = { ...rules, ignoreWhitespace, granularity, format } as const;
        const comparing = { a, b, options, json, compare: await comparerOf(io, { server }) };
        await (areFolders(io, [a, b]) ? showFolders(io, comparing) : showFiles(io, comparing));
      },
    );
}

/** Whether both are folders; beside a folder, `/dev/null` counts as an empty one. */
function areFolders(io: Io, paths: readonly [string, string]): boolean {
  const are = paths.map((path) => isFolder(io, path));
  return are.includes(true) && paths.every((path, i) => are[i] || path === NOWHERE);
}

async function showFiles(
  io: Io,
  of: { a: string; b: string; options: TextOptions; json: boolean | undefined; compare: TextComparer },
): Promise<void> {
  const { a, b, options, json } = of;
  const files = await readComparedFiles(io, { a, b, isPatch: options.format === "unified" && !json });
  if (!files.texts) return tellBinary(io, { a, b, isSame: files.isSame, json });
  const names = { nameA: headerName(a), nameB: headerName(b) };
  const comparison = await of.compare(files.texts, { ...options, ...names });
  if (!comparison.identical) io.exitCode = EXIT.differs;
  await warn(io, (comparison.warnings ?? []).map(warningSentence));
  if (json) return printJson(io, comparison);
  if (comparison.identical) return;
  const shown = formatComparison(io, comparison, options.context);
  await print(io, files.isBytes ? encodePatch(shown) : shown);
}

/** Of binary files it only says whether they differ, as diff and git do. */
async function tellBinary(
  io: Io,
  { a, b, isSame, json }: { a: string; b: string; isSame: boolean; json: boolean | undefined },
): Promise<void> {
  if (!isSame) io.exitCode = EXIT.differs;
  if (json) return printJson(io, { identical: isSame, binary: true });
  if (!isSame) await print(io, `Binary files ${showName(a)} and ${showName(b)} differ\n`);
}

/** A file's name for the header of a patch: a relative path without control characters. */
function headerName(path: string): string {
  if (path === NOWHERE) return path;
  const name = path.replace(/^[./\\]+/, "").replace(/\p{Cc}/gu, "_");
  return name === "" || path === STANDARD ? "text" : name.slice(-MAX_NAME);
}

function formatComparison(io: Io, comparison: TextComparison, context: number): string {
  const paint = painter(io);
  if (comparison.format === "unified") return formatPatch(comparison.patch, paint);
  return comparison.granularity === "line"
    ? formatRows(comparison, paint, context)
    : formatSpans(comparison.spans, paint);
}

/** A file to compare; `decoded` is undefined for a binary file. */
interface ComparedFile {
  readonly path: string;
  readonly bytes: Bytes;
  readonly decoded: DecodedText | undefined;
}

/** Two files, with their texts where both are text. */
interface ComparedFiles {
  readonly isSame: boolean;
  readonly texts: { readonly a: string; readonly b: string } | undefined;
  /** Whether the texts have one character for each byte of the files, which a patch must fit. */
  readonly isBytes: boolean;
}

/**
 * Reads two files, and says on standard error which of them is not UTF-8.
 * @throws CliError usage where one cannot be read
 */
async function readComparedFiles(
  io: Io,
  { a, b, isPatch }: { a: string; b: string; isPatch: boolean },
): Promise<ComparedFiles> {
  checkInputs([a, b]);
  const files = { a: await readComparedFile(io, a), b: await readComparedFile(io, b) };
  const compared = compareAs(files, isPatch);
  const isRecoded = isPatch && !compared.isBytes;
  if (compared.texts)
    await warn(
      io,
      [files.a, files.b].flatMap((file) => encodingNote(file, isRecoded)),
    );
  return compared;
}

async function readComparedFile(io: Io, path: string): Promise<ComparedFile> {
  const bytes = await readInput(io, path);
  return { path, bytes, decoded: await decodeText(bytes) };
}

function compareAs({ a, b }: { a: ComparedFile; b: ComparedFile }, isPatch: boolean): ComparedFiles {
  const isSame = isSameData(a.bytes, b.bytes);
  if (!a.decoded || !b.decoded) return { isSame, texts: undefined, isBytes: false };
  const encodings = [a.decoded.encoding, b.decoded.encoding];
  const hasUtf16 = encodings.some((encoding) => encoding.startsWith("UTF-16"));
  const isBytes = isPatch && encodings.includes("Latin-1") && !hasUtf16;
  const texts = isBytes
    ? { a: decodeLatin1(a.bytes), b: decodeLatin1(b.bytes) }
    : { a: a.decoded.text, b: b.decoded.text };
  return { isSame, texts, isBytes };
}

function encodingNote({ path, decoded }: ComparedFile, isRecoded: boolean): string[] {
  if (!decoded || decoded.encoding === "UTF-8") return [];
  const patch = isRecoded ? "; the patch is in UTF-8" : "";
  return [`${inputName(path)}: read as ${decoded.encoding}${patch}.`];
}
