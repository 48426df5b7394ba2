import { formatPatch } from "./comparison.ts";
import { type FolderEntry, NOWHERE } from "./folder.ts";
import type { Paint } from "../terminal/io.ts";

/** A file that differs. Without `hunks`, only its mode differs, or it is empty or binary. */
export interface FolderChange {
  readonly path: string;
  readonly a: FolderEntry | undefined;
  readonly b: FolderEntry | undefined;
  readonly isBinary: boolean;
  readonly hunks: string;
  /** Whether each character of the hunks stands for a byte. */
  readonly isBytes: boolean;
}

/** Quotes a path as git does. */
export type QuotePath = (path: string) => string;

/**
 * One file of a patch in git's format. A binary file gets a line of its own instead: below a header, `git apply` would
 * refuse the whole patch for it.
 */
export function formatChange(change: FolderChange, quotePath: QuotePath, paint: Paint): Uint8Array {
  const { path, a, b, isBinary, hunks, isBytes } = change;
  const names = [a ? quotePath(`a/${path}`) : NOWHERE, b ? quotePath(`b/${path}`) : NOWHERE] as const;
  if (isBinary) return Buffer.from(`Binary files ${names[0]} and ${names[1]} differ\n`);
  const header = [
    paint("bold", `diff --git ${["a", "b"].map((side) => nameInHeader(side, change, quotePath)).join(" ")}`),
    ...modeLines(change),
    ...(hunks === ""
      ? []
      : [`--- ${names[0]}${tabAfter(a && path)}`, `+++ ${names[1]}${tabAfter(b && path)}`]),
  ];
  const body = formatPatch(hunks, paint);
  const head = formatPatch(`${header.join("\n")}\n`, paint);
  return Buffer.concat([Buffer.from(head), Buffer.from(body, isBytes ? "latin1" : "utf8")]);
}

/** A line about binary files must not follow a header without hunks, or it would belong to that header. */
export function needsGap(before: FolderChange | undefined, { isBinary }: FolderChange): boolean {
  return isBinary && before !== undefined && !before.isBinary && before.hunks === "";
}

/** Without hunks, this is the only place with the name; GNU patch reads a name with spaces only in quotes. */
function nameInHeader(side: string, change: FolderChange, quotePath: QuotePath): string {
  const name = `${side}/${change.path}`;
  const quoted = quotePath(name);
  return change.hunks === "" && quoted === name && /\s/.test(name) ? `"${name}"` : quoted;
}

function modeLines({ a, b, hunks }: FolderChange): string[] {
  // Where no hunk says so, git's ids of nothing and of an empty file tell GNU patch that an empty file is meant.
  if (!a) return [`new file mode ${b?.mode}`, ...(hunks === "" ? ["index 0000000..e69de29"] : [])];
  if (!b) return [`deleted file mode ${a.mode}`, ...(hunks === "" ? ["index e69de29..0000000"] : [])];
  // A link needs it too, because GNU patch would look for a regular file otherwise.
  return a.mode === b.mode && a.mode !== "120000" ? [] : [`old mode ${a.mode}`, `new mode ${b.mode}`];
}

// As in git: a tab ends a name that contains spaces, or patch would take the first space for its end.
function tabAfter(path: string | undefined): string {
  return /\s/.test(path ?? "") ? "\t" : "";
}
