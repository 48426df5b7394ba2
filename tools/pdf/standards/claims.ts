import type { Bytes } from "../../../wire/bytes.ts";
import { ToolFailure } from "../../../wire/tool-failure.ts";
import { addObject, catalogOf, decodedStream, type Pdf, resolve } from "../model/document.ts";
import { changeCatalog } from "../model/catalog.ts";
import { without, isStream, type Stream, type Value } from "../syntax/values.ts";
import { latin1 } from "../syntax/lexer.ts";

/** A standard that the XMP metadata of a document claims, in a schema of its own. */
export interface Claim {
  readonly standard: "PDF/A" | "PDF/UA";
  readonly part: number;
  /** The conformance level, such as "A"; empty where none is given. */
  readonly level: string;
}

const PREFIXES = { "PDF/A": "pdfaid", "PDF/UA": "pdfuaid" } as const;

/** The claims of a metadata stream are read once; a split asks for them for each page. */
const known = new WeakMap<Stream, readonly Claim[]>();

/** The standards that metadata claims. */
export function readClaims(pdf: Pdf, metadata: Value | undefined): readonly Claim[] {
  const stream = resolve(pdf, metadata);
  if (!isStream(stream)) return [];
  const claims = known.get(stream) ?? claimsIn(lettersOf(readBytes(pdf, stream)));
  known.set(stream, claims);
  return claims;
}

/** The standards that a document claims. */
export function claimsOf(pdf: Pdf): readonly Claim[] {
  return readClaims(pdf, catalogOf(pdf)?.get("Metadata"));
}

/** Whether a document claims PDF/A-1, which is PDF 1.4 with rules of its own for how a file is written. */
export function claimsPdfA1(pdf: Pdf): boolean {
  return claimsOf(pdf).some(({ standard, part }) => standard === "PDF/A" && part === 1);
}

/** Such as "PDF/A-1". */
export function claimName({ standard, part }: Claim): string {
  return `${standard}-${part}`;
}

/** With its level, such as "PDF/A-1a". */
export function claimWithLevel(claim: Claim): string {
  return claimName(claim) + claim.level.toLowerCase();
}

/**
 * What becomes of a claim: another level, or an empty one for none; `level` is undefined where the whole claim is
 * dropped.
 */
export interface ClaimChange {
  readonly claim: Claim;
  readonly level: string | undefined;
}

/** Changes what the metadata of a document claims. The stream becomes a new one without filters. */
export function changeClaims(pdf: Pdf, changes: readonly ClaimChange[]): void {
  const stream = resolve(pdf, catalogOf(pdf)?.get("Metadata"));
  if (!isStream(stream)) return;
  const bytes = readBytes(pdf, stream);
  const text = lettersOf(bytes);
  const data = overwrite(bytes, allReplacements(text, changes));
  const dict = without(stream.dict, ["Filter", "DecodeParms", "DL"]);
  changeCatalog(pdf, { Metadata: addObject(pdf, { kind: "stream", dict, data }) });
}

function claimsIn(text: string): Claim[] {
  return (["PDF/A", "PDF/UA"] as const).flatMap((standard) => {
    const part = valueIn(text, standard, "part");
    const level = valueIn(text, standard, "conformance");
    if (!/^[0-9]{1,2}$/.test(part)) return [];
    return [{ standard, part: Number(part), level: /^[A-Z]$/.test(level) ? level : "" }];
  });
}

function valueIn(text: string, standard: Claim["standard"], name: string): string {
  for (const each of propertiesIn(text, PREFIXES[standard])) if (each.name === name) return each.value;
  return "";
}

type Range = readonly [from: number, to: number];

/**
 * The properties of XMP, as elements or attributes, and where they stand. Each run in these patterns ends at
 * the next bracket or quotation mark, so that a search takes linear time; one at a time, as metadata that inflate to
 * millions of them would take gigabytes.
 */
function* propertiesIn(
  text: string,
  prefix: string,
): Generator<{ name: string; value: string; range: Range; valueRange: Range }> {
  const patterns = [
    `<${prefix}:(\\w{1,32})(?:\\s[^<>]*)?>([^<]*)</${prefix}:\\1\\s*>`,
    `\\s${prefix}:(\\w{1,32})\\s*=\\s*"([^"<]*)"`,
    `\\s${prefix}:(\\w{1,32})\\s*=\\s*'([^'<]*)'`,
  ];
  for (const pattern of patterns) {
    for (const { 1: name = "", 2: value = "", indices } of text.matchAll(new RegExp(pattern, "dg"))) {
      yield {
        name,
        value: value.trim(),
        range: indices?.[0] ?? [0, 0],
        valueRange: indices?.[2] ?? [0, 0],
      };
    }
  }
}

/** Letters from … to, and the one that is written over each of them. */
interface Replacement {
  readonly range: Range;
  readonly letter: string;
}

function* allReplacements(text: string, changes: readonly ClaimChange[]): Generator<Replacement> {
  for (const change of changes) yield* replacementsFor(text, change);
}

function* replacementsFor(text: string, { claim, level }: ClaimChange): Generator<Replacement> {
  for (const { name, range, valueRange } of propertiesIn(text, PREFIXES[claim.standard])) {
    if (level === undefined) yield { range, letter: " " };
    else if (name !== "conformance") continue;
    else if (level === "") yield { range, letter: " " };
    else yield { range: valueRange, letter: level };
  }
}

/** Writes over letters, so that the zeros between those of UTF-16 stay where they are. */
function overwrite(bytes: Uint8Array, replacements: Iterable<Replacement>): Bytes {
  const changed = Uint8Array.from(bytes);
  const places = new Uint32Array(bytes.length);
  let count = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== 0) places[count++] = at;
  for (const { range, letter } of replacements) {
    for (const at of places.subarray(...range)) changed[at] = letter.charCodeAt(0);
  }
  return changed;
}

/** One character per byte; of UTF-16 the letters of XMP's own names are left. */
function lettersOf(bytes: Uint8Array): string {
  return latin1(bytes.includes(0) ? bytes.filter((code) => code !== 0) : bytes);
}

/** The metadata without filters; empty where they are not supported. */
function readBytes(pdf: Pdf, stream: Stream): Uint8Array {
  try {
    return decodedStream(pdf, stream).bytes;
  } catch (error) {
    if (error instanceof ToolFailure && error.code === "unsupported_feature") return new Uint8Array(0);
    throw error;
  }
}
