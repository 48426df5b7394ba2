import { MAX_BUNDLE_FILES, MAX_MESSAGE_BYTES } from "../../../tools/bundle/bundle-format.ts";
import { utf8 } from "../../../wire/bytes.ts";
import type { Failure } from "../../api/failure.ts";
import { formatFailure } from "../../api/format-failure.ts";
import { secretLimits } from "../../api/limits.ts";
import { formatNumber } from "../../app/language/format.ts";
import { fill, words } from "../../app/language/words.ts";

/** What one link shares: a text, files, or files with a message. */
export interface Content {
  readonly text: string;
  /** In the order in which their reader sees them. */
  readonly files: readonly File[];
}

/** The message with the files; white space alone is none. */
export function messageOf({ text, files }: Content): string | undefined {
  return files.length === 0 || text.trim() === "" ? undefined : text;
}

export function isEmpty({ text, files }: Content): boolean {
  return text === "" && files.length === 0;
}

/** Why a text or files cannot be sent, or undefined. */
export function findProblem(content: Content): string | undefined {
  if (content.files.length === 0) return tooLong(content.text);
  const failure = tooMany(content) ?? tooLarge(content);
  return failure && formatFailure(failure);
}

function tooMany({ files: { length: actual } }: Content): Failure | undefined {
  const fields = { value: MAX_BUNDLE_FILES, unit: "files", actual };
  return actual > MAX_BUNDLE_FILES ? { code: "too_many_files", fields } : undefined;
}

/** The size of everything that would be sent as one file, without the few bytes in between. */
export function totalSize(content: Content): number {
  const sizes = content.files.reduce((sum, { size }) => sum + size, 0);
  return sizes + utf8(messageOf(content) ?? "").length;
}

function tooLarge(content: Content): Failure | undefined {
  const { fileBytes } = secretLimits.value;
  const message = utf8(messageOf(content) ?? "").length;
  if (message > MAX_MESSAGE_BYTES)
    return { code: "text_too_large", fields: { value: MAX_MESSAGE_BYTES, unit: "bytes", actual: message } };
  const actual = totalSize(content);
  if (actual <= fileBytes) return undefined;
  const code = content.files.length === 1 ? "file_too_large" : "total_too_large";
  return { code, fields: { value: fileBytes, unit: "bytes", actual } };
}

/** Characters as people count them (Unicode code points), whatever their size once they are encrypted. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function tooLong(text: string): string | undefined {
  // A text has at most as many characters as UTF-16 units.
  const { characters, isMember } = secretLimits.value;
  if (text.length <= characters) return undefined;
  const count = countCharacters(text);
  if (count <= characters) return undefined;
  const { tooLongForMember, tooLongForGuest } = words().share;
  const values = { count: formatNumber(count), limit: formatNumber(characters) };
  return fill(isMember ? tooLongForMember : tooLongForGuest, values);
}
