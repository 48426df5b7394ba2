// Finds what `pdf-clean` should have removed and has not, as qpdf reads the result. The lists are independent of ours.
import type { Removable } from "../../tools/file/document-options.ts";
import { dictOf, entriesOf, type Entry, type QpdfDocument, type QpdfValue, resolve } from "./document.ts";
import { run } from "./programs.ts";

const KEYS: Readonly<Record<Removable, RegExp>> = {
  metadata:
    /^\/(Metadata|PieceInfo|Thumb|LastModified|OPI|SpiderInfo|PTEX\..*|Author|Creator|Producer|Keywords|CreationDate|ModDate)$/,
  scripts: /^\/(JS|JavaScript|XFA)$/,
  attachments: /^\/(EF|EmbeddedFiles|Collection)$/,
  annotations: /^\/Popup$/,
  forms: /^\/(AcroForm|FT|DSS)$/,
  bookmarks: /^\/Outlines$/,
  layers: /^\/(OCProperties|OC|OCGs)$/,
};

/** Values of /S, /Type and /Subtype. */
const NAMES: Readonly<Record<Removable, RegExp>> = {
  metadata: /^\/XML$/,
  scripts: /^\/(JavaScript|Launch|SubmitForm|ImportData)$/,
  attachments: /^\/(EmbeddedFile|FileAttachment|GoToE)$/,
  annotations:
    /^\/(FreeText|Square|Circle|PolyLine|Highlight|Underline|Squiggly|StrikeOut|Stamp|Caret|Ink|Popup|FileAttachment|RichMedia)$/,
  forms: /^\/(Widget|SigFieldLock)$/,
  bookmarks: /^\/Outlines$/,
  layers: /^\/(OCG|OCMD|SetOCGState)$/,
};

/** In the bytes of streams, without a filter or in JPEGs. */
const BYTES: Partial<Record<Removable, readonly string[]>> = {
  metadata: ["<x:xmpmeta", "<?xpacket", "Exif\0\0", "http://ns.adobe.com/xap/1.0/\0"],
};

/** The traces of a kind that are still in a document, each once. */
export function tracesOf(document: QpdfDocument, kind: Removable): string[] {
  const found = new Set<string>();
  for (const entry of entriesOf(document)) if (isTrace(document, { entry, kind })) found.add(nameOf(entry));
  return [...found].toSorted();
}

function isTrace(
  { objects, trailer }: QpdfDocument,
  { entry: { key, value, dict }, kind }: { entry: Entry; kind: Removable },
): boolean {
  const meant = resolve(objects, value);
  if (meant === undefined) return false;
  if (kind === "metadata" && key === "/Info") return dict === trailer || typeof meant === "object";
  // A comment keeps its own dates.
  if (kind === "metadata" && dict["/Rect"] !== undefined && key.endsWith("Date")) return false;
  // The type of a structure element may have the same name.
  if (kind === "annotations" && key === "/S") return false;
  if (["/S", "/Type", "/Subtype"].includes(key)) return typeof meant === "string" && NAMES[kind].test(meant);
  return KEYS[kind].test(key);
}

function nameOf({ key, value }: Entry): string {
  return typeof value === "string" && value.startsWith("/") ? `${key} ${value}` : key;
}

/** Shorter texts may stand anywhere, and comments of the same second keep its date. */
const LEAST_LETTERS = 12;
const DATE = /^D:\d/;

/** Texts that only removed objects have, as far as qpdf and poppler can tell. */
export function privateTexts(
  document: QpdfDocument,
  { kind, shown }: { kind: Removable; shown: string },
): string[] {
  const inside = new Map<string, number>();
  const all = new Map<string, number>();
  for (const entry of entriesOf(document)) {
    for (const text of textsIn(entry.value)) add(all, text);
    for (const text of textsOf(document, { entry, kind })) add(inside, text);
  }
  const alone = [...inside].filter(([text, count]) => count >= (all.get(text) ?? 0));
  const texts = alone
    .map(([text]) => text)
    .filter((text) => text.length >= LEAST_LETTERS && !DATE.test(text));
  return texts.filter((text) => !shown.includes(text.replace(/\s+/g, "")));
}

/** The text of a removed entry, and the texts of the dictionary that it refers to. */
function textsOf(document: QpdfDocument, { entry, kind }: { entry: Entry; kind: Removable }): string[] {
  const { key, value, dict } = entry;
  if (kind === "annotations" && isTrace(document, { entry, kind }) && key === "/Subtype")
    return textsIn(dict["/Contents"] ?? null);
  if (kind !== "metadata" && kind !== "scripts") return [];
  if (!isTrace(document, { entry, kind })) return [];
  const meant = resolve(document.objects, value) ?? null;
  if (typeof meant === "string") return textsIn(meant);
  return key === "/Info" ? Object.values(dictOf(meant)).flatMap(textsIn) : [];
}

function textsIn(value: QpdfValue): string[] {
  return typeof value === "string" && value.startsWith("u:") ? [value.slice(2)] : [];
}

function add(counts: Map<string, number>, text: string): void {
  counts.set(text, (counts.get(text) ?? 0) + 1);
}

/** The texts, and the markers of a kind, that are in the bytes of a file, with its streams unpacked. */
export async function bytesLeft(
  path: string,
  { kind, texts }: { kind: Removable; texts: readonly string[] },
): Promise<string[]> {
  const { output, status } = await run("qpdf", ["--qdf", "--object-streams=disable", path, "-"]);
  if (status !== 0 && status !== 3) return [];
  const markers = (BYTES[kind] ?? []).filter((marker) => output.includes(marker, 0, "latin1"));
  const left = texts.filter((text) => spellings(text).some((bytes) => output.includes(bytes)));
  return [
    ...markers.map((marker) => JSON.stringify(marker)),
    ...left.map((text) => `a text of ${text.length} letters`),
  ];
}

/** As strings of PDF and as XML have it. */
function spellings(text: string): Buffer[] {
  const utf16 = Buffer.from(text, "utf16le").swap16();
  return [Buffer.from(text, "utf8"), utf16, Buffer.from(utf16.toString("hex"), "latin1")];
}
