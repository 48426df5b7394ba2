import { joinBytes } from "../../../wire/bytes.ts";
import { readContent } from "../content/read.ts";
import type { Resources } from "../content/usage.ts";
import { dictAt, type Pdf } from "../model/document.ts";
import { refTo } from "../syntax/values.ts";
import { type Draw, type DrawingKind, readDraws } from "./draws.ts";
import { LARGEST, type Matrix } from "./matrix.ts";
import { numberBehind } from "./number-behind.ts";

const KINDS: readonly DrawingKind[] = ["XObject", "Pattern", "Font", "ExtGState"];

/** Whether resources can lead to images; most fonts and graphics states do not. */
export function mayDraw(pdf: Pdf, { dict }: Resources): boolean {
  return KINDS.some((kind) => {
    const entries = [...(dictAt(pdf, dict.get(kind))?.values() ?? [])];
    if (kind === "XObject" || kind === "Pattern") return entries.length > 0;
    const dicts = entries.map((value) => dictAt(pdf, value));
    if (kind === "Font") return dicts.some((font) => font?.get("Subtype") === "Type3");
    return dicts.some((state) => dictAt(pdf, state?.get("SMask")) !== undefined);
  });
}

/** What streams draw with that are read one after the other; undefined where that cannot be known. */
export function contentDraws(
  pdf: Pdf,
  { nums, cache }: { nums: readonly number[]; cache: Map<string, readonly Draw[] | undefined> },
): readonly Draw[] | undefined {
  const key = nums.join(" ");
  if (cache.has(key)) return cache.get(key);
  const found = nums.map((num) => readContent(pdf, numberBehind(pdf, refTo(num)) ?? num));
  const parts = found.filter((part) => part !== undefined);
  // What one stream ends with and another begins with are two tokens (ISO 32000-1, 7.8.2).
  const between = parts.flatMap((part) => [part, Uint8Array.of(10)]);
  const draws = parts.length === nums.length ? readDraws(joinBytes(between)) : undefined;
  cache.set(key, draws);
  return draws;
}

/** Everything that resources hold, drawn as large as can be: of content that cannot be read. */
export function allDraws(pdf: Pdf, all: readonly Resources[]): Draw[] {
  const matrices: Matrix[] = [[LARGEST, 0, 0, LARGEST]];
  return all.flatMap(({ dict }) =>
    KINDS.flatMap((kind) =>
      [...(dictAt(pdf, dict.get(kind))?.keys() ?? [])].map((name) => ({ kind, name, matrices })),
    ),
  );
}
