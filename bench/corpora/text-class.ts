import type { WarningCode } from "../../wire/tool-warning.ts";

/** Warnings about what could not be read. */
export const UNREAD: ReadonlySet<string> = new Set<WarningCode>([
  ...(["xref_rebuilt", "objects_found", "objects_lost"] as const),
  ...(["pages_lost", "pages_found", "content_unreadable"] as const),
]);

/** What became of a text; undefined if nothing. Letters only: poppler orders them by how a page happens to be written. */
export function textClass(
  text: string,
  { expected, told }: { expected: string; told: readonly { readonly code: string }[] },
): string | undefined {
  if (text === expected || lettersOf(text) === lettersOf(expected)) return undefined;
  if (text.length > expected.length) return "more text";
  if (text.length === expected.length) return "other text";
  const share = text.length < 0.8 * expected.length ? "over 20 % LESS text" : "LESS text";
  const isTold = told.some(({ code }) => UNREAD.has(code));
  return isTold ? `${share.toLowerCase()}, told,` : share;
}

function lettersOf(text: string): string {
  return [...text].sort().join("");
}
