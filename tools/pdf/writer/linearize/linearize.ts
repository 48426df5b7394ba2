import { ByteParts } from "../../../../wire/byte-pieces.ts";
import { catalogOf, changedObject, type Pdf, resolve } from "../../model/document.ts";
import { readPages } from "../../model/pages.ts";
import { type Dict, isRef, makeDict, type Value } from "../../syntax/values.ts";
import { latin1 } from "../../syntax/lexer.ts";
import {
  bytesWritten,
  createByteWriter,
  writeBytes,
  writeText,
  writtenBytes,
  writtenParts,
} from "../byte-writer.ts";
import { type Renumber, writeValue } from "../serialize.ts";
import { startWriting, writeObject, type PdfOutput } from "../write.ts";
import { type Hints, writeHints } from "./hints.ts";
import { type Parts, sortIntoParts } from "./parts.ts";
import { findUsers, type Users } from "./users.ts";

/** The digits of an offset or length, so that dictionaries have the same length before these are known. */
const DIGITS = 10;

/** The layout of a linearized file. */
interface Plan {
  readonly pdf: Pdf;
  readonly trailer: Dict;
  readonly version: string;
  readonly users: Users;
  readonly parts: Parts;
  readonly pages: readonly number[];
  readonly pdfOutput: PdfOutput;
  /** By new object number: the length of the object in bytes. */
  readonly lengths: ReadonlyMap<number, number>;
  readonly bodies: { readonly opening: ByteParts; readonly firstPage: ByteParts; readonly later: ByteParts };
  /** The number of the first object in the first section; smaller ones are in the second. */
  readonly dictNum: number;
  readonly hintNum: number;
}

/**
 * Writes a document so that its first page can be shown before the rest has arrived (ISO 32000-2, annex F), with plain
 * cross-reference tables. No page may inherit attributes.
 * @throws ToolFailure result_too_large, and NeedsRepair if the file contradicts its cross-reference
 */
export async function writeLinearized(pdf: Pdf, trailer: Dict, version: string): Promise<ByteParts> {
  const plan = await makePlan(pdf, trailer, version);
  const hints = writeHints(hintsOf(plan));
  return layOut(plan, hints);
}

async function makePlan(pdf: Pdf, trailer: Dict, version: string): Promise<Plan> {
  const root = trailer.get("Root");
  const catalog = catalogOf(pdf) ?? new Map();
  const pages = readPages(pdf).list.map(({ num }) => num);
  const users = findUsers(pdf, { trailer, root: catalog, pages });
  const showsOutline = resolve(pdf, catalog.get("PageMode")) === "UseOutlines";
  const outlines = catalog.get("Outlines");
  const outline = isRef(outlines) ? outlines.num : 0;
  const parts = sortIntoParts({ users, outline, root: isRef(root) ? root.num : 0, pages, showsOutline });
  const pdfOutput = startWithout(pdf);
  const second = [...parts.pages.flat(), ...parts.shared, ...parts.rest];
  const dictNum = second.length + 1;
  second.forEach((num, i) => pdfOutput.numbers.set(num, i + 1));
  parts.opening.forEach((num, i) => pdfOutput.numbers.set(num, dictNum + 1 + i));
  const hintNum = dictNum + 1 + parts.opening.length;
  parts.firstPage.forEach((num, i) => pdfOutput.numbers.set(num, hintNum + 1 + i));
  const lengths = new Map<number, number>();
  const write = (nums: readonly number[]) => writeAll(pdfOutput, nums, lengths);
  const bodies = {
    opening: await write(parts.opening),
    firstPage: await write(parts.firstPage),
    later: await write(second),
  };
  return { pdf, trailer, version, users, parts, pages, pdfOutput, lengths, bodies, dictNum, hintNum };
}

/** Writes objects one after the other and records their lengths. */
async function writeAll(
  pdfOutput: PdfOutput,
  nums: readonly number[],
  lengths: Map<number, number>,
): Promise<ByteParts> {
  pdfOutput.output = createByteWriter(pdfOutput.pdf.budget.written);
  for (const old of nums) {
    const num = pdfOutput.numbers.get(old) ?? 0;
    const start = bytesWritten(pdfOutput.output);
    const later = writeObject(pdfOutput, old, num);
    if (later) await later;
    lengths.set(num, bytesWritten(pdfOutput.output) - start);
  }
  return writtenParts(pdfOutput.output);
}

/** An output that drops references to objects without a place in the file. */
function startWithout(pdf: Pdf): PdfOutput {
  const output = createByteWriter(pdf.budget.written);
  const pdfOutput = startWriting(pdf, { output, useObjectStreams: false, encryptor: undefined });
  const renumber: Renumber = (ref) => {
    const stead = changedObject(pdf, ref.num);
    return pdfOutput.numbers.get(ref.num) ?? (isRef(stead) ? renumber(stead) : 0);
  };
  return { ...pdfOutput, renumber };
}

function lengthOf({ pdfOutput, lengths }: Plan, nums: readonly number[]): number {
  return nums.reduce((sum, num) => sum + (lengths.get(pdfOutput.numbers.get(num) ?? 0) ?? 0), 0);
}

/** Offsets in hints are those of a file without the hints. */
function hintsOf(plan: Plan): Hints {
  const { parts, pages, users, pdfOutput } = plan;
  const firstPageAt = unknownHead(plan).length + lengthOf(plan, parts.opening);
  const laterAt = firstPageAt + lengthOf(plan, parts.firstPage);
  const sharedAt = laterAt + lengthOf(plan, parts.pages.flat());
  const listed = [...parts.firstPage, ...parts.shared];
  const places = new Map(listed.map((num, i) => [num, i]));
  const sharedBy = sharedPlaces(users, places, pages.length);
  const outline = parts.outline[0];
  const before = outline === undefined ? [] : beforeOutline(parts, outline);
  const [firstShared] = parts.shared;
  return {
    pages: [parts.firstPage, ...parts.pages].map((nums, page) => ({
      objects: nums.length,
      length: lengthOf(plan, nums),
      shared: page === 0 ? [] : (sharedBy[page] ?? []),
    })),
    firstPageAt,
    shared: { ofFirstPage: parts.firstPage.length, lengths: listed.map((num) => lengthOf(plan, [num])) },
    firstShared:
      firstShared === undefined
        ? { num: 0, at: 0 }
        : { num: pdfOutput.numbers.get(firstShared) ?? 0, at: sharedAt },
    outline:
      outline === undefined
        ? undefined
        : {
            num: pdfOutput.numbers.get(outline) ?? 0,
            at: firstPageAt + lengthOf(plan, before),
            objects: parts.outline.length,
            length: lengthOf(plan, parts.outline),
          },
  };
}

/** The objects between the beginning of the first page and the outline. */
function beforeOutline({ firstPage, pages, shared, rest }: Parts, outline: number): number[] {
  const all = [...firstPage, ...pages.flat(), ...shared, ...rest];
  return all.slice(0, all.indexOf(outline));
}

/** By page: the indexes of the objects that it shares with other pages. */
function sharedPlaces(
  { pages, entries }: Users,
  places: ReadonlyMap<number, number>,
  count: number,
): number[][] {
  const byPage: number[][] = Array.from({ length: count }, () => []);
  for (const [num, place] of places) {
    const onPages = pages.get(num) ?? [];
    if (onPages.length + (entries.get(num)?.length ?? 0) < 2) continue;
    for (const page of onPages) byPage[page]?.push(place);
  }
  return byPage;
}

/** Numbers that are known once everything has its offset. */
type Offsets = typeof UNKNOWN;

const UNKNOWN = {
  length: 0,
  hintAt: 0,
  hintLength: 0,
  firstPageEnd: 0,
  /** The offset of the white space before the first entry of the second table. */
  entriesAt: 0,
  secondTableAt: 0,
};

/** Header, dictionary and first table, as long as they will be. */
function unknownHead(plan: Plan): string {
  return headText(plan, UNKNOWN, new Map());
}

function headText(plan: Plan, offsets: Offsets, places: ReadonlyMap<number, number>): string {
  const { version, dictNum, hintNum, parts, pages, pdfOutput } = plan;
  const { length, hintAt, hintLength, firstPageEnd, entriesAt, secondTableAt } = offsets;
  const header = `%PDF-${version}\n%\xe2\xe3\xcf\xd3\n`;
  const first = pdfOutput.numbers.get(pages[0] ?? 0) ?? 0;
  const dict =
    `${dictNum} 0 obj\n<</Linearized 1 /L ${padded(length)} /H [ ${padded(hintAt)} ${padded(hintLength)} ] ` +
    `/O ${first} /E ${padded(firstPageEnd)} /N ${pages.length} /T ${padded(entriesAt)} >>\nendobj\n`;
  const last = hintNum + parts.firstPage.length;
  let table = `xref\n${dictNum} ${last - dictNum + 1}\n`;
  for (let num = dictNum; num <= last; num++)
    table += entryText(num === dictNum ? header.length : (places.get(num) ?? 0));
  const trailer = trailerText(plan, { Size: last + 1, Prev: secondTableAt });
  return `${header}${dict}${table}trailer\n${trailer}\nstartxref\n0\n%%EOF\n`;
}

function padded(number: number): string {
  return String(number).padEnd(DIGITS);
}

function entryText(offset: number): string {
  return `${String(offset).padStart(DIGITS, "0")} 00000 n \n`;
}

function trailerText(
  { pdf, trailer, pdfOutput }: Plan,
  { Size, Prev }: { Size: number; Prev?: number },
): string {
  const output = createByteWriter(pdf.budget.read);
  const value: Dict = new Map<string, Value>([...trailer, ["Size", Size]]);
  writeValue(output, { value, renumber: pdfOutput.renumber });
  const text = latin1(writtenBytes(output));
  return Prev === undefined ? text : `${text.slice(0, -2)}/Prev ${padded(Prev)}>>`;
}

function layOut(plan: Plan, hints: ReturnType<typeof writeHints>): ByteParts {
  const { parts, pdfOutput, lengths, bodies, dictNum, hintNum, pdf } = plan;
  const hint = hintObject(plan, hints);
  const places = new Map<number, number>();
  const head = unknownHead(plan);
  let at = head.length;
  const place = (nums: readonly number[]) => {
    for (const old of nums) {
      const num = pdfOutput.numbers.get(old) ?? 0;
      places.set(num, at);
      at += lengths.get(num) ?? 0;
    }
  };
  place(parts.opening);
  const hintAt = at;
  places.set(hintNum, hintAt);
  at += hint.length;
  place(parts.firstPage);
  const firstPageEnd = at;
  place([...parts.pages.flat(), ...parts.shared, ...parts.rest]);
  const secondTableAt = at;
  const title = `xref\n0 ${dictNum}`;
  const second = `${title}\n0000000000 65535 f \n${Array.from({ length: dictNum - 1 }, (_, i) => entryText(places.get(i + 1) ?? 0)).join("")}`;
  const firstTableAt = head.indexOf("xref\n");
  const end = `${second}trailer\n${trailerText(plan, { Size: dictNum })}\nstartxref\n${firstTableAt}\n%%EOF\n`;
  const offsets: Offsets = {
    length: at + end.length,
    hintAt,
    hintLength: hint.length,
    firstPageEnd,
    entriesAt: secondTableAt + title.length,
    secondTableAt,
  };
  const output = createByteWriter(pdf.budget.written);
  writeText(output, headText(plan, offsets, places));
  const tail = createByteWriter(pdf.budget.written);
  writeText(tail, end);
  const { opening, firstPage, later } = bodies;
  const all = [writtenParts(output), opening, hint, firstPage, later, writtenParts(tail)];
  return new ByteParts(all.flatMap(({ parts: each }) => each));
}

function hintObject(
  { pdf, hintNum }: Plan,
  { bytes, sharedAt, outlineAt }: ReturnType<typeof writeHints>,
): ByteParts {
  const output = createByteWriter(pdf.budget.written);
  const dict = makeDict({
    Length: bytes.length,
    S: sharedAt,
    ...(outlineAt !== undefined && { O: outlineAt }),
  });
  writeText(output, `${hintNum} 0 obj\n`);
  writeValue(output, { value: dict, renumber: () => 0 });
  writeText(output, "\nstream\n");
  writeBytes(output, bytes);
  writeText(output, "\nendstream\nendobj\n");
  return writtenParts(output);
}
