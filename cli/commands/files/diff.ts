import { Option } from "@commander-js/extra-typings";
import type { Granularity, IgnoredWhitespace, TextComparison } from "../../../tools/text-compare.ts";
import { warningSentence } from "../../../wire/tool-warning.ts";
import { defineCommand, shared, wholeNumberOf } from "../../definition.ts";
import { EXIT } from "../../exit.ts";
import { binaryNote, readComparedFiles } from "../../files/compared-files.ts";
import { encodePatch, formatPatch, formatRows, formatSpans } from "../../files/comparison.ts";
import { STANDARD } from "../../files/input.ts";
import { connectChosen } from "../../server/connect.ts";
import { painter } from "../../terminal/colors.ts";
import { printJson, warn, type Io } from "../../terminal/io.ts";

const MAX_NAME = 255;

export function diffCommand(io: Io) {
  return defineCommand("diff", {
    summary: "Compare two texts by line, word or character",
    description:
      "Shows the lines that differ with their numbers, three lines of context around them. Ends with 1 where the " +
      "texts differ and prints nothing where they do not. Files in UTF-16 with a byte order mark and in Latin-1 are " +
      "read as such, with a warning; of binary files it only says that they differ.",
    examples: [
      "hushkit diff old.txt new.txt",
      "hushkit diff old.txt new.txt -u > change.patch",
      "hushkit diff a b --words",
    ],
  })
    .argument("<a>", 'the first text; "-" is standard input')
    .argument("<b>", "the second text")
    .addOption(new Option("--words", "by word, as [-old-]{+new+}").conflicts(["unified", "chars"]))
    .addOption(new Option("--chars", "by character, as [-old-]{+new+}").conflicts("unified"))
    .addOption(new Option("-u, --unified", "a unified diff, which patch and git apply take"))
    .addOption(new Option("-i, --ignore-case", "take upper and lower case as equal").default(false))
    .addOption(new Option("-w, --ignore-all-space", "ignore all white space, as diff -w does").default(false))
    .addOption(
      new Option("-b, --ignore-space-change", "take runs of blanks as one, and none at line ends").default(
        false,
      ),
    )
    .addOption(
      new Option("-B, --ignore-blank-lines", "as diff -B does").default(false).conflicts(["words", "chars"]),
    )
    .addOption(
      new Option("--context <n>", "lines around each change")
        .argParser(wholeNumberOf({ minimum: 0, maximum: 100 }))
        .default(3),
    )
    .addOption(shared.server())
    .addOption(shared.json())
    .action(
      async (a, b, { words, chars, unified, server, json, ignoreAllSpace, ignoreSpaceChange, ...rules }) => {
        const files = await readComparedFiles(io, { a, b, isPatch: Boolean(unified && !json) });
        if (!files.texts) return tellBinary(io, { a, b, isSame: files.isSame, json });
        const granularity = words ? "word" : chars ? "character" : "line";
        const format = unified ? "unified" : "json";
        const names = { nameA: headerName(a), nameB: headerName(b) };
        // As in GNU diff, -w goes beyond -b where both are given.
        const ignoreWhitespace = ignoreAllSpace ? "all" : ignoreSpaceChange ? "amount" : "none";
        const options = { ...rules, ...names, ignoreWhitespace, granularity, format } as const;
        const comparing = { texts: files.texts, options };
        const comparison = await (server ? compareThere(io, comparing) : compareHere(comparing));
        if (!comparison.identical) io.exitCode = EXIT.differs;
        await warn(io, (comparison.warnings ?? []).map(warningSentence));
        if (json) return printJson(io, comparison);
        if (comparison.identical) return;
        const shown = formatComparison(io, { comparison, context: rules.context });
        await io.stdout.write(files.isBytes ? encodePatch(shown) : shown);
      },
    );
}

/** Of binary files only whether they differ is told, as diff and git do. */
async function tellBinary(
  io: Io,
  { a, b, isSame, json }: { a: string; b: string; isSame: boolean; json: boolean | undefined },
): Promise<void> {
  if (!isSame) io.exitCode = EXIT.differs;
  if (json) return printJson(io, { identical: isSame, binary: true });
  if (!isSame) await io.stdout.write(binaryNote(a, b));
}

interface Comparing {
  readonly texts: { readonly a: string; readonly b: string };
  readonly options: {
    readonly granularity: Granularity;
    readonly format: "json" | "unified";
    readonly ignoreCase: boolean;
    readonly ignoreWhitespace: IgnoredWhitespace;
    readonly ignoreBlankLines: boolean;
    readonly context: number;
    readonly nameA: string;
    readonly nameB: string;
  };
}

async function compareHere({ texts, options }: Comparing): Promise<TextComparison> {
  const { compareTexts } = await import("../../../tools/text-compare.ts");
  return compareTexts(texts, options);
}

async function compareThere(io: Io, { texts, options }: Comparing): Promise<TextComparison> {
  const comparison = await (await connectChosen(io)).tools.textCompare.mutate({ ...texts, ...options });
  // The schema of the API lists the keys of all three kinds of answer; each kind is one of the tool's.
  return comparison as TextComparison;
}

/** A file's name in the header of a patch, where paths are relative and have no control characters. */
function headerName(path: string): string {
  const name = path.replace(/^[./\\]+/, "").replace(/\p{Cc}/gu, "_");
  return name === "" || path === STANDARD ? "text" : name.slice(-MAX_NAME);
}

function formatComparison(
  io: Io,
  { comparison, context }: { comparison: TextComparison; context: number },
): string {
  const paint = painter(io);
  if (comparison.format === "unified") return formatPatch(comparison.patch, paint);
  return comparison.granularity === "line"
    ? formatRows(comparison, { paint, context })
    : formatSpans(comparison.spans, paint);
}
