// What is left of what `pdf-clean` says that it takes out, by qpdf's reading: the lists here know nothing of our own.
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

/** Of /S, /Type and /Subtype. */
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

/** What still is there of a kind, each trace once. */
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
  // A comment keeps what it says of itself.
  if (kind === "metadata" && dict["/Rect"] !== undefined && key.endsWith("Date")) return false;
  // What structure elements are may have the same name.
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

/** Texts that are in what goes and, as far as qpdf and poppler tell, nowhere else. */
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

/** Of an entry that goes: its own text, and those of a dictionary that it leads to. */
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

/** Which of these texts, and of the signs of a kind, are in the bytes of a file, with its streams unpacked. */
export async function bytesLeft(
  path: string,
  { kind, texts }: { kind: Removable; texts: readonly string[] },
): Promise<string[]> {
  const { output, status } = await run("qpdf", ["--qdf", "--object-streams=disable", path, "-"]);
  if (status !== 0 && status !== 3) return [];
  const signs = (BYTES[kind] ?? []).filter((sign) => output.includes(sign, 0, "latin1"));
  const left = texts.filter((text) => spellings(text).some((bytes) => output.includes(bytes)));
  return [
    ...signs.map((sign) => JSON.stringify(sign)),
    ...left.map((text) => `a text of ${text.length} letters`),
  ];
}

/** As strings of PDF and as XML have it. */
function spellings(text: string): Buffer[] {
  const utf16 = Buffer.from(text, "utf16le").swap16();
  return [Buffer.from(text, "utf8"), utf16, Buffer.from(utf16.toString("hex"), "latin1")];
}
