import { deflateRawSync, deflateSync } from "node:zlib";
import type { Bytes } from "../../../wire/bytes.ts";
import { bytesOf, makePdf, pagesPdf, stream, textOf } from "../../tools/pdf/support/pdf-made.ts";

/** A PDF made to harm, and the codes it may be refused with; none means that it must be worked on. */
export interface Hostile {
  readonly name: string;
  readonly make: () => Bytes;
  readonly codes: readonly string[];
}

const BAD = ["damaged_file", "too_complex"];
const PAGE = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>";
const CATALOG = "<</Type/Catalog/Pages 2 0 R>>";
const ONE = { 1: CATALOG, 2: "<</Type/Pages/Count 1/Kids[3 0 R]>>", 3: PAGE };

function latin(bytes: Uint8Array): string {
  return textOf(bytes);
}

/** Zeros that inflate a thousand times. */
function bomb(megabytes: number): Uint8Array {
  const known = BOMBS.get(megabytes) ?? deflateSync(new Uint8Array(megabytes * 1024 * 1024), { level: 9 });
  BOMBS.set(megabytes, known);
  return known;
}

const BOMBS = new Map<number, Uint8Array>();

/** A file whose only cross-reference is a stream with this dictionary and data. */
function withXrefStream(entries: string, data: Uint8Array): Bytes {
  const head =
    "%PDF-1.5\n1 0 obj\n" +
    CATALOG +
    "\nendobj\n2 0 obj\n" +
    ONE[2] +
    "\nendobj\n3 0 obj\n" +
    PAGE +
    "\nendobj\n";
  const body = `9 0 obj\n<</Type/XRef/Root 1 0 R${entries}/Length ${data.length}>>\nstream\n${latin(data)}\nendstream\nendobj\n`;
  return bytesOf(`${head}${body}startxref\n${head.length}\n%%EOF\n`);
}

function withObjStm(entries: string, data: Uint8Array): Bytes {
  const packed = `<</Type/ObjStm${entries}/Length ${data.length}>>\nstream\n${latin(data)}\nendstream`;
  const text = latin(makePdf({ 1: CATALOG, 2: "<</Type/Pages/Count 1/Kids[3 0 R]>>", 8: packed }));
  return bytesOf(text.replace(/xref\n0[^]*$/, "trailer\n<</Root 1 0 R>>\n"));
}

function many(count: number, text: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => text(i)).join("");
}

export const HOSTILE: readonly Hostile[] = [
  {
    name: "an xref stream with widths of 2^31",
    make: () => withXrefStream("/W[2147483647 2147483647 2147483647]/Size 4", bomb(1)),
    codes: [],
  },
  {
    name: "an xref stream with negative widths",
    make: () => withXrefStream("/W[-1 -2 -3]/Size 4", bomb(1)),
    codes: [],
  },
  {
    name: "an xref stream of widths zero",
    make: () => withXrefStream("/W[0 0 0]/Size 999999999", bomb(1)),
    codes: [],
  },
  {
    name: "an xref stream that claims 10^15 objects",
    make: () => withXrefStream("/W[1 2 1]/Index[0 999999999999999]/Filter/FlateDecode", bomb(64)),
    codes: BAD,
  },
  {
    name: "an xref stream that inflates without end",
    make: () => withXrefStream("/W[1 2 1]/Size 4/Filter/FlateDecode", bomb(300)),
    codes: BAD,
  },
  {
    name: "an object stream that inflates without end",
    make: () => withObjStm("/N 1/First 4/Filter/FlateDecode", bomb(300)),
    codes: BAD,
  },
  {
    name: "a bomb in a bomb",
    make: () =>
      withObjStm("/N 1/First 4/Filter[/FlateDecode/FlateDecode]", deflateSync(bomb(300), { level: 9 })),
    codes: BAD,
  },
  {
    name: "a run-length bomb",
    make: () =>
      withObjStm(
        "/N 1/First 4/Filter[/FlateDecode/RunLengthDecode]",
        deflateSync(new Uint8Array(8e6).fill(129)),
      ),
    codes: BAD,
  },
  {
    name: "an LZW bomb",
    make: () =>
      withObjStm("/N 1/First 4/Filter[/FlateDecode/LZWDecode]", deflateSync(new Uint8Array(8e6).fill(255))),
    codes: BAD,
  },
  {
    name: "a hundred filters",
    make: () => withObjStm(`/N 1/First 4/Filter[${many(100, () => "/FlateDecode")}]`, bomb(1)),
    codes: BAD,
  },
  {
    name: "an object stream of 10^12 objects",
    make: () => withObjStm("/N 999999999999/First 999999999", deflateRawSync(new Uint8Array(9))),
    codes: BAD,
  },
  {
    name: "an object stream in itself",
    make: () => withXrefStream("/W[1 1 1]/Index[1 3 8 1]", Uint8Array.of(2, 8, 0, 2, 8, 1, 2, 8, 2, 2, 8, 0)),
    codes: [],
  },
  {
    name: "a page tree that contains itself",
    make: () => makePdf({ ...ONE, 2: "<</Type/Pages/Count 1/Kids[2 0 R 2 0 R 3 0 R]>>" }),
    codes: [],
  },
  {
    name: "a page tree in a ring",
    make: () => makePdf({ 1: CATALOG, 2: "<</Kids[4 0 R]>>", 4: "<</Kids[5 0 R]>>", 5: "<</Kids[2 0 R]>>" }),
    codes: BAD,
  },
  {
    name: "a catalog that is its own pages",
    make: () => makePdf({ 1: "<</Type/Catalog/Pages 1 0 R>>" }),
    codes: BAD,
  },
  {
    name: "a page tree 100,000 levels deep",
    make: () =>
      makePdf(
        Object.fromEntries([
          [1, CATALOG],
          ...Array.from({ length: 1e5 }, (_, i) => [i + 2, `<</Kids[${i + 3} 0 R]>>`]),
        ]),
      ),
    codes: BAD,
  },
  {
    name: "sixty thousand pages that are one",
    make: () => makePdf({ ...ONE, 2: `<</Type/Pages/Count 1/Kids[${many(60_000, () => "3 0 R ")}]>>` }),
    codes: BAD,
  },
  {
    name: "page tree branches that meet again",
    make: () =>
      makePdf({
        1: CATALOG,
        2: "<</Kids[4 0 R 4 0 R]>>",
        ...Object.fromEntries(
          Array.from({ length: 60 }, (_, i) => [i + 4, `<</Kids[${i + 5} 0 R ${i + 5} 0 R]>>`]),
        ),
        64: PAGE,
      }),
    codes: [],
  },
  {
    name: "a count of 10^18 pages",
    make: () => makePdf({ ...ONE, 2: "<</Type/Pages/Count 999999999999999999/Kids[3 0 R]>>" }),
    codes: [],
  },
  {
    name: "arrays a million deep",
    make: () => makePdf({ ...ONE, 3: `<</Type/Page/X ${"[".repeat(1e6)}>>` }),
    codes: BAD,
  },
  {
    name: "dictionaries a million deep",
    make: () => makePdf({ ...ONE, 3: `<</Type/Page/X ${"<</A".repeat(1e6)}>>` }),
    codes: BAD,
  },
  {
    name: "unbalanced parentheses",
    make: () => makePdf({ ...ONE, 3: `<</Type/Page/X ${"(".repeat(1e6)}>>` }),
    codes: [],
  },
  {
    name: "lengths that lie",
    make: () =>
      makePdf({
        ...ONE,
        3: "<</Type/Page/Contents 4 0 R>>",
        4: "<</Length 99999999999>>\nstream\nq Q\nendstream",
      }),
    codes: [],
  },
  {
    name: "a length that refers to itself",
    make: () =>
      makePdf({ ...ONE, 3: "<</Type/Page/Contents 4 0 R>>", 4: "<</Length 4 0 R>>\nstream\nq Q\nendstream" }),
    codes: [],
  },
  {
    name: "lengths that refer in a ring",
    make: () =>
      makePdf({
        ...ONE,
        3: "<</Type/Page/Contents 4 0 R>>",
        4: "<</Length 5 0 R>>\nstream\nq\nendstream",
        5: "<</Length 4 0 R>>\nstream\nq\nendstream",
      }),
    codes: [],
  },
  {
    name: "references in a ring",
    make: () => makePdf({ ...ONE, 3: "<</Type/Page/Rotate 4 0 R/Contents 4 0 R>>", 4: "5 0 R", 5: "4 0 R" }),
    codes: [],
  },
  {
    name: "an xref that is its own predecessor",
    make: () =>
      bytesOf(
        latin(pagesPdf(2)).replace(
          /\/Root/,
          (all) => `/Prev ${latin(pagesPdf(2)).lastIndexOf("xref\n0")}${all}`,
        ),
      ),
    codes: [],
  },
  { name: "a chain of 5,000 xrefs", make: () => chained(5000), codes: [] },
  {
    name: "a table that claims 10^10 entries",
    make: () => bytesOf(latin(pagesPdf(2)).replace(/xref\n0 \d+/, "xref\n0 9999999999")),
    codes: [],
  },
  {
    name: "a hundred thousand objects that never end",
    make: () => bytesOf(`%PDF-1.4\n${many(1e5, (i) => `${i + 1} 0 obj<<`)}`),
    codes: BAD,
  },
  {
    name: "objects that overlap all the way",
    make: () => overlapping(),
    codes: [...BAD, "result_too_large"],
  },
  {
    name: "streams that never end",
    make: () =>
      bytesOf(`%PDF-1.4\n${many(1e5, (i) => `${i + 9} 0 obj<</Length 1>>stream\n`)}trailer<</Root 1 0 R>>`),
    codes: BAD,
  },
  {
    name: "streams that all end before the same blanks",
    make: () => beforeBlanks("<<", ""),
    codes: ["result_too_large"],
  },
  { name: "streams in arrays that do so", make: () => beforeBlanks("[<<", ""), codes: [] },
  {
    name: "streams in arrays that begin with blanks",
    make: () => beforeBlanks("[<<", "endstream"),
    codes: [],
  },
  { name: "two million trailers", make: () => bytesOf(`%PDF-1.4\n${"trailer<<".repeat(2e6)}`), codes: BAD },
  {
    name: "bookmarks in a ring",
    make: () =>
      makePdf({
        ...ONE,
        1: "<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R>>",
        4: "<</First 5 0 R/Last 5 0 R>>",
        5: "<</Title(a)/Next 6 0 R/First 4 0 R/Parent 4 0 R>>",
        6: "<</Title(b)/Next 5 0 R/First 5 0 R>>",
      }),
    codes: [],
  },
  {
    name: "bookmarks 20,000 deep",
    make: () =>
      makePdf({
        ...ONE,
        1: "<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R>>",
        4: "<</First 5 0 R>>",
        ...Object.fromEntries(
          Array.from({ length: 2e4 }, (_, i) => [i + 5, `<</Title(x)/First ${i + 6} 0 R/Dest[3 0 R]>>`]),
        ),
      }),
    codes: [],
  },
  {
    name: "fields in a ring",
    make: () =>
      makePdf({
        ...ONE,
        1: "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R 4 0 R]>>>>",
        4: "<</T(a)/Kids[5 0 R]>>",
        5: "<</T(b)/Parent 4 0 R/Kids[4 0 R 5 0 R]/P 3 0 R>>",
      }),
    codes: [],
  },
  {
    name: "tags in a ring",
    make: () =>
      makePdf({
        ...ONE,
        1: "<</Type/Catalog/Pages 2 0 R/StructTreeRoot 4 0 R>>",
        4: "<</K 5 0 R/ParentTree 4 0 R/Kids[4 0 R]>>",
        5: "<</S/P/P 4 0 R/K[5 0 R 4 0 R 0]/Pg 3 0 R>>",
      }),
    codes: [],
  },
  {
    name: "a name tree in a ring",
    make: () =>
      makePdf({
        ...ONE,
        1: "<</Type/Catalog/Pages 2 0 R/Names<</Dests 4 0 R>>>>",
        4: "<</Kids[4 0 R 5 0 R]>>",
        5: "<</Kids[4 0 R]/Names[(a)[3 0 R](b)]>>",
      }),
    codes: [],
  },
  {
    name: "drawings that draw themselves",
    make: () =>
      makePdf({
        ...ONE,
        2: "<</Type/Pages/Count 2/Kids[3 0 R 5 0 R]/Resources<</XObject<</F 4 0 R>>>>>>",
        3: "<</Type/Page/Contents 4 0 R>>",
        4: stream("/F Do", "/Subtype/Form"),
        5: PAGE,
      }),
    codes: [],
  },
  {
    name: "an encryption dictionary of rubbish",
    make: () =>
      makePdf(ONE, { trailer: "/Encrypt<</Filter/Standard/V 5/R 6/U 1/O[]/UE(x)/OE(x)/P/x/CF 3>>" }),
    codes: ["password_required", "password_wrong"],
  },
  {
    name: "an encryption dictionary that is the catalog",
    make: () => makePdf(ONE, { trailer: "/Encrypt 1 0 R" }),
    codes: ["unsupported_feature"],
  },
  {
    name: "a predictor with columns of 2^31",
    make: () =>
      withXrefStream(
        "/W[1 2 1]/Size 4/Filter/FlateDecode/DecodeParms<</Predictor 12/Columns 2147483647/Colors 99>>",
        bomb(1),
      ),
    codes: [],
  },
  {
    name: "a kids array of 5 MB of rubbish",
    make: () => makePdf({ ...ONE, 2: `<</Type/Pages/Kids[${"null ".repeat(1e6)}3 0 R]>>` }),
    codes: [],
  },
  {
    name: "200,000 names nobody used before",
    make: () => makePdf({ ...ONE, 3: `<</Type/Page/X[${many(2e5, (i) => `/N${i}`)}]>>` }),
    codes: [],
  },
];

/** Thirty thousand streams whose lengths lead to the same megabyte of blanks, behind this word. */
function beforeBlanks(open: string, word: string): Bytes {
  const count = 3e4;
  const head = latin(
    makePdf({ ...ONE, 1: `<</Type/Catalog/Pages 2 0 R/X[${many(count, (i) => `${i + 1e5} 0 R `)}]>>` }),
  ).replace(/xref\n0[^]*$/, "");
  const row = (i: number, length: number): string =>
    `${i + 1e5} 0 obj${open}/Length ${String(length).padStart(8, "0")}>>stream\n`;
  const size = row(0, 0).length;
  const rows = many(count, (i) => row(i, (count - 1 - i) * size));
  return bytesOf(`${head}${rows}${word}${" ".repeat(1e6)}\nendobj\ntrailer<</Root 1 0 R>>`);
}

/** Cross-references that lead through each other, each with one entry. */
function chained(count: number): Bytes {
  let text = latin(pagesPdf(1)).replace(/startxref[^]*$/, "");
  let before = text.lastIndexOf("xref\n0");
  for (let i = 0; i < count; i++) {
    const at = text.length;
    text += `xref\n0 0\ntrailer\n<</Root 1 0 R/Prev ${before}>>\n`;
    before = at;
  }
  return bytesOf(`${text}startxref\n${before}\n%%EOF\n`);
}

/** Four hundred objects, each of which begins a little later in the same megabytes of array. */
function overlapping(): Bytes {
  const count = 400;
  const kids = many(count, (i) => `${i + 10} 0 R `);
  let text = `%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R/X[${kids}]>>\nendobj\n2 0 obj\n${ONE[2]}\nendobj\n3 0 obj\n${PAGE}\nendobj\n`;
  const places: number[] = [];
  for (let i = 0; i < count; i++) {
    places.push(text.length + 1);
    text += `(${i + 10} 0 obj [)${"1 ".repeat(400)}\n`;
  }
  const start = text.length;
  const plain = [0, 1, 2, 3].map((num) => text.indexOf(`\n${num} 0 obj`) + 1);
  const lines = (ats: readonly number[]): string =>
    ats.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  return bytesOf(
    `${text}xref\n0 4\n${lines(plain)}10 ${count}\n${lines(places)}trailer\n<</Root 1 0 R>>\nstartxref\n${start}\n`,
  );
}
