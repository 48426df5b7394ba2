import type { Bytes } from "../../../../wire/bytes.ts";
import { makePdf, stream } from "./pdf-made.ts";

/** Resources by their kind, such as `{ XObject: "/I 8 0 R" }`. */
type Kinds = Readonly<Record<string, string>>;

/** What is drawn in a place, the resources that it names, and more objects, up to number 19. */
export interface Drawn {
  readonly content: string;
  readonly resources?: Kinds;
  /** What the page draws itself, and the resources that only this names. */
  readonly page?: { readonly content: string; readonly resources: Kinds };
  readonly catalog?: string;
  readonly objects?: Readonly<Record<number, string>>;
}

/** Where the drawing finds its resources. */
export const RESOURCES = ["its own", "its own, by reference", "those of the page", "those of the page tree"];

interface Place {
  /** By the numbers of objects, from 20 on; 20 is the drawing, which takes these entries. */
  readonly objects: Readonly<Record<number, string>>;
  readonly content?: string;
  readonly resources?: Kinds;
  readonly page?: string;
  readonly catalog?: string;
}

const BOX = "/BBox[0 0 200 100]";
const FORM = `/Type/XObject/Subtype/Form${BOX}`;
const TILE = `/Type/Pattern/PatternType 1/PaintType 1/TilingType 1${BOX}/XStep 200/YStep 100`;
const SHADING = "/ShadingType 2/ColorSpace/DeviceGray/Coords[0 0 200 0]";
const GREY = "/Function<</FunctionType 2/N 1/Domain[0 1]/C0[0]/C1[.5]>>";
const MASK = "<</Type/ExtGState/SMask<</S/Luminosity/G 20 0 R>>>>";
const GLYPHS = "/FontBBox[0 0 200 100]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[200]";
const font = (own: string) =>
  `<</Type/Font/Subtype/Type3${GLYPHS}/CharProcs<</a 20 0 R>>/Encoding<</Differences[97/a]>>${own}>>`;
const GLYPH = "BT /T 1 Tf (a) Tj ET";
const FILLED = "0 0 200 100 re f";

function annotation(entries: string, kind = "/Subtype/Stamp"): Pick<Place, "page"> {
  return { page: `/Annots[<</Type/Annot${kind}/Rect[0 0 200 100]/F 4${entries}>>]` };
}

const form = (content: string, own: string) => ({ 20: stream(content, `${FORM}${own}`) });

/** Every place in which content can stand beside that of the page (ISO 32000-2, 7.8.2). */
export const PLACES: Readonly<Record<string, (content: string, own: string) => Place>> = {
  "a form": (content, own) => ({
    content: "/Fo Do",
    resources: { XObject: "/Fo 20 0 R" },
    objects: form(content, own),
  }),
  "a form in a form": (content, own) => ({
    content: "/Fo Do",
    resources: { XObject: "/Fo 21 0 R" },
    objects: {
      ...form(content, own),
      21: stream("/In Do", `${FORM}/Resources<</XObject<</In 20 0 R>>>>`),
    },
  }),
  "a tiling pattern": (content, own) => ({
    content: `/Pattern cs /P scn ${FILLED}`,
    resources: { Pattern: "/P 20 0 R" },
    objects: { 20: stream(content, `${TILE}${own}`) },
  }),
  "a glyph": (content, own) => ({
    content: GLYPH,
    resources: { Font: "/T 21 0 R" },
    objects: { 20: stream(`200 0 d0 ${content}`), 21: font(own) },
  }),
  "a glyph of a font that stands in the resources": (content, own) => ({
    content: GLYPH,
    resources: { Font: `/T ${font(own)}` },
    objects: { 20: stream(`200 0 d0 ${content}`) },
  }),
  "a glyph of a font that a graphics state sets": (content, own) => ({
    content: "BT /G gs (a) Tj ET",
    resources: { ExtGState: "/G 22 0 R" },
    objects: { 20: stream(`200 0 d0 ${content}`), 21: font(own), 22: "<</Type/ExtGState/Font[21 0 R 1]>>" },
  }),
  "a soft mask": (content, own) => ({
    content: `/G gs ${FILLED}`,
    resources: { ExtGState: `/G ${MASK}` },
    objects: { 20: stream(content, `${FORM}/Group<</S/Transparency/CS/DeviceGray>>${own}`) },
  }),
  "a soft mask that a shading pattern sets": (content, own) => ({
    content: `/Pattern cs /P scn ${FILLED}`,
    resources: { Pattern: "/P 21 0 R" },
    objects: {
      20: stream(content, `${FORM}/Group<</S/Transparency/CS/DeviceGray>>${own}`),
      21: `<</Type/Pattern/PatternType 2/Shading<<${SHADING}${GREY}>>/ExtGState ${MASK}>>`,
    },
  }),
  "an appearance": (content, own) => ({
    ...annotation("/AP<</N 20 0 R>>"),
    objects: form(content, own),
  }),
  "the appearance of a state": (content, own) => ({
    ...annotation("/AP<</N<</On 20 0 R>>>>/AS/On", "/Subtype/Widget/FT/Btn/T(a)"),
    objects: form(content, own),
  }),
  "the appearance of a button that is pressed": (content, own) => ({
    ...annotation("/AP<</N 21 0 R/D 20 0 R>>"),
    objects: { ...form(content, own), 21: stream("", FORM) },
  }),
  "the icon of a button": (content, own) => ({
    ...annotation("/MK<</I 20 0 R>>", "/Subtype/Widget/FT/Btn/Ff 65536/T(a)"),
    objects: form(content, own),
  }),
  "the other icon of a button": (content, own) => ({
    ...annotation("/MK<</RI 20 0 R>>", "/Subtype/Widget/FT/Btn/Ff 65536/T(a)"),
    objects: form(content, own),
  }),
  "what a redaction puts in place": (content, own) => ({
    ...annotation("/RO 20 0 R", "/Subtype/Redact"),
    objects: form(content, own),
  }),
  "a glyph of a font of the form": (content, own) => ({
    page: "/Annots[23 0 R]",
    catalog: "/AcroForm 22 0 R",
    objects: {
      20: stream(`200 0 d0 ${content}`),
      21: font(own),
      22: "<</Fields[23 0 R]/DR<</Font<</T 21 0 R>>>>>>",
      23: "<</Type/Annot/Subtype/Widget/Rect[0 0 200 100]/P 3 0 R/DA(/T 1 Tf)/FT/Tx/T(a)/V(a)>>",
    },
  }),
};

/** A document of two pages, of which the first has the drawing in the place and the second is empty. */
export function pdfWithDrawn(place: string, from: string, drawn: Drawn): Bytes {
  const { content, resources = {}, page, catalog = "", objects = {} } = drawn;
  const owns = {
    "its own": `/Resources ${written(resources)}`,
    "its own, by reference": "/Resources 19 0 R",
  };
  const own: string = Object.hasOwn(owns, from) ? owns[from as keyof typeof owns] : "";
  const put = PLACES[place]?.(content, own);
  if (!put) throw new Error(`There is no place called ${place}.`);
  const all = written(put.resources ?? {}, own === "" ? resources : (page?.resources ?? {}));
  const isOfTree = from === "those of the page tree";
  return makePdf(
    {
      1: `<</Type/Catalog/Pages 2 0 R${catalog}${put.catalog ?? ""}>>`,
      2: `<</Type/Pages/Count 2/Kids[3 0 R 5 0 R]/MediaBox[0 0 200 100]${isOfTree ? `/Resources ${all}` : ""}>>`,
      3: `<</Type/Page/Parent 2 0 R/Contents 4 0 R${put.page ?? ""}${isOfTree ? "" : `/Resources ${all}`}>>`,
      4: stream(`${put.content ?? ""} ${page?.content ?? ""}`),
      5: "<</Type/Page/Parent 2 0 R/Contents 6 0 R/Resources<<>>>>",
      6: stream(""),
      ...(own.endsWith("R") ? { 19: written(resources) } : {}),
      ...objects,
      ...put.objects,
    },
    { version: "1.5" },
  );
}

function written(...all: Kinds[]): string {
  const kinds = new Set(all.flatMap((each) => Object.keys(each)));
  return `<<${[...kinds].map((kind) => `/${kind}<<${all.map((each) => each[kind] ?? "").join("")}>>`).join("")}>>`;
}
