import { CliError, EXIT } from "../exit.ts";
import { painter, print, printJson, type Io } from "../terminal/io.ts";
import { compareFolders } from "./compared-folders.ts";
import type { CompareTexts, TextOptions } from "./comparison.ts";
import { formatChange, needsGap, type FolderChange, type QuotePath } from "./folder-patch.ts";

/** Shows what differs below two folders: as a patch, a list or JSON. @throws CliError usage by word or character */
export async function showFolders(
  io: Io,
  of: { a: string; b: string; compare: CompareTexts; options: TextOptions; json: boolean | undefined },
): Promise<void> {
  if (of.options.granularity !== "line")
    throw new CliError(EXIT.usage, "Folders are compared by line; leave out --words and --chars.");
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
  if (of.json) await printJson(io, describeChanges(changes, { isPatch, quotePath }));
}

async function show(
  io: Io,
  of: { change: FolderChange; before: FolderChange | undefined; isPatch: boolean; quotePath: QuotePath },
): Promise<void> {
  const { change, quotePath } = of;
  if (!of.isPatch) return print(io, `${LETTERS[statusOf(change)]}\t${quotePath(change.path)}\n`);
  if (needsGap(of.before, change)) await print(io, "\n");
  await print(io, formatChange(change, { quotePath, paint: painter(io) }));
}

/** Those of `git diff --name-status`. */
const LETTERS = { added: "A", removed: "D", changed: "M" } as const;

function statusOf({ a, b }: FolderChange): keyof typeof LETTERS {
  if (!a) return "added";
  return b ? "changed" : "removed";
}

function describeChanges(
  changes: readonly FolderChange[],
  { isPatch, quotePath }: { isPatch: boolean; quotePath: QuotePath },
) {
  const files = changes.map((change) => ({
    path: change.path,
    status: statusOf(change),
    ...(change.isBinary ? { binary: true } : {}),
  }));
  const plain = (_: string, text: string) => text;
  const parts = changes.map((change, i) => {
    const gap = needsGap(changes[i - 1], change) ? "\n" : "";
    // JSON holds text, in which the bytes of Latin-1 are its letters.
    return (
      gap + Buffer.from(formatChange({ ...change, isBytes: false }, { quotePath, paint: plain })).toString()
    );
  });
  return { identical: changes.length === 0, files, ...(isPatch ? { patch: parts.join("") } : {}) };
}
