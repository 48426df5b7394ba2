import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { testWith } from "../../machine/skips.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import type { ToolWarning } from "../../../wire/tool-warning.ts";
import { mergePdf } from "../../../tools/pdf-merge.ts";
import { rotatePdf } from "../../../tools/pdf-rotate.ts";
import { splitPdf } from "../../../tools/pdf-split.ts";
import { unlockPdf } from "../../../tools/pdf-unlock.ts";
import { withPdf } from "../../../tools/pdf/reader/open.ts";
import { keepClaims } from "../../../tools/pdf/standards/keep-claims.ts";
import { ask, assertClean, objectsOf } from "./support/judges.ts";
import { makePdf, stream, textOf } from "./support/pdf-made.ts";

const A1B = "<rdf:Description pdfaid:part='1' pdfaid:conformance='B'/>";
const A1A = "<rdf:Description pdfaid:part='1' pdfaid:conformance='A'/>";
const A2A = "<pdfaid:part>2</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>";
const A2U = A2A.replace(">A<", ">U<");
const A4F = '<x pdfaid:part="4" pdfaid:rev="2020" pdfaid:conformance="F"/>';
const UA1 = "<pdfuaid:part>1</pdfuaid:part>";
const UA2 = "<pdfuaid:part>2</pdfuaid:part><pdfuaid:rev>2024</pdfuaid:rev>";
const ID = "/ID[<00><00>]";
const MARKED = "/MarkInfo<</Marked true>>";
const TITLE = "/ViewerPreferences<</DisplayDocTitle true>>";
const TAGS = "/StructTreeRoot 6 0 R";

const intent = (components: number): string =>
  `/OutputIntents[<</S/GTS_PDFA1/DestOutputProfile ${6 + components} 0 R>>]`;

interface Shape {
  readonly version?: string;
  readonly catalog?: string;
  readonly trailer?: string;
  /** Of the metadata stream. */
  readonly entries?: string;
}

/** Two pages, of which the first has tags, with metadata that claims something. */
function claiming(xmp: string, { version = "1.4", catalog = "", trailer = ID, entries = "" }: Shape = {}) {
  return makePdf(
    {
      1: `<</Type/Catalog/Pages 2 0 R/Metadata 5 0 R/Lang(en)${catalog}>>`,
      2: "<</Type/Pages/Count 2/Kids[3 0 R 4 0 R]/MediaBox[0 0 9 9]>>",
      3: "<</Type/Page/Parent 2 0 R/StructParents 0/Contents 8 0 R>>",
      4: "<</Type/Page/Parent 2 0 R>>",
      5: stream(xmp, `/Type/Metadata/Subtype/XML${entries}`),
      6: "<</Type/StructTreeRoot/K[11 0 R]/ParentTree<</Nums[0[11 0 R]]>>>>",
      7: stream("gray", "/N 1"),
      8: stream("/P <</MCID 0>> BDC EMC"),
      9: stream("rgb", "/N 3"),
      10: stream("cmyk", "/N 4"),
      11: "<</Type/StructElem/S/P/P 6 0 R/Pg 3 0 R/K 0>>",
    },
    { version, trailer },
  );
}

const rotate = (file: Bytes) => rotatePdf(file, { angle: 90 });
const keep = (file: Bytes, range = "1-2") => splitPdf(file, { mode: "keep", range });
const merge = (...files: Bytes[]) => mergePdf(files.map((data) => ({ data })));
const lost = (standard: string, clause: string): ToolWarning => ({ code: "standard_lost", standard, clause });
const unchecked = (standard: string): ToolWarning => ({ code: "standard_unchecked", standard });
const claimsIn = (bytes: Uint8Array): string[] => textOf(bytes).match(/(?<!:)\bpdf(ua|a)id:\w+/g) ?? [];

describe("PDF/A-1 is written without object streams and cross-reference streams", () => {
  const tools = {
    rotate,
    keep,
    each: (file: Bytes) => splitPdf(file, { mode: "each" }),
    merge: (file: Bytes) => merge(file, file),
  };

  test.each(Object.entries(tools))("by %s, whatever the version says", async (_, run) => {
    const { bytes } = await run(claiming(A1B, { version: "1.7" }));
    expect(textOf(bytes)).toContain("\nxref\n0 ");
    expect(textOf(bytes)).not.toMatch(/\/ObjStm|\/XRef/);
    expect(claimsIn(bytes)).toContain("pdfaid:part");
    const other = await run(claiming(A2U, { version: "1.7" }));
    expect(textOf(other.bytes)).toContain("/ObjStm");
  });

  testWith("qpdf")("where it came with them, and by unlock", async () => {
    const file = claiming(A1B);
    const packed = pack(file, "--object-streams=generate");
    expect(textOf(packed)).toContain("/ObjStm");
    const locked = pack(packed, "--encrypt", "", "owner", "256", "--");
    for (const { bytes, warnings } of [await rotate(packed), await unlockPdf(locked)]) {
      expect(textOf(bytes)).not.toMatch(/\/ObjStm|\/XRef/);
      expect(claimsIn(bytes)).toContain("pdfaid:part");
      expect(warnings).toEqual([]);
      assertClean(bytes);
    }
  });

  test("but with them once the claim is lost", async () => {
    const { bytes } = await rotate(claiming(A1B, { version: "1.7", trailer: "" }));
    expect(textOf(bytes)).toContain("/ObjStm");
  });
});

function pack(file: Bytes, ...options: string[]): Bytes {
  return Uint8Array.from(ask(file, ["qpdf", ...options, "@", "-"]), (character) => character.charCodeAt(0));
}

describe("a claim that the result does not fulfil goes, and its clause is told", () => {
  const tagged = MARKED + TAGS + TITLE;

  test.each<[what: string, xmp: string, shape: Shape, warning: ToolWarning]>([
    ["PDF/A-1 without /ID", A1B, { trailer: "" }, lost("PDF/A-1", "6.1.3")],
    ["PDF/A-2 without /ID", A2U, { trailer: "" }, lost("PDF/A-2", "6.1.3")],
    ["PDF/A-2 as PDF 2.0", A2U, { version: "2.0" }, lost("PDF/A-2", "6.1.2")],
    ["PDF/A-4 as PDF 1.7", A4F, { version: "1.7" }, lost("PDF/A-4", "6.1.2")],
    ["PDF/UA-1 without tags", UA1, { catalog: MARKED + TITLE }, lost("PDF/UA-1", "7.1")],
    ["PDF/UA-1 without a mark", UA1, { catalog: TAGS + TITLE }, lost("PDF/UA-1", "7.1")],
    [
      "PDF/UA-1 with suspects",
      UA1,
      { catalog: tagged.replace("true", "true/Suspects true") },
      lost("PDF/UA-1", "7.1"),
    ],
    ["PDF/UA-1 that hides its title", UA1, { catalog: MARKED + TAGS }, lost("PDF/UA-1", "7.1")],
    ["PDF/UA-2 without tags", UA2, { catalog: MARKED + TITLE }, lost("PDF/UA-2", "8.2.1")],
    ["PDF/UA-2 that hides its title", UA2, { catalog: MARKED + TAGS }, lost("PDF/UA-2", "8.11.2")],
  ])("%s", async (_, xmp, shape, warning) => {
    const { bytes, warnings } = await rotate(claiming(xmp, shape));
    expect(warnings).toEqual([warning]);
    expect(claimsIn(bytes).filter((name) => !name.endsWith(":rev"))).toEqual([]);
  });

  test.each<[what: string, xmp: string, shape: Shape]>([
    ["PDF/A-1b", A1B, {}],
    ["PDF/A-1b as PDF 2.0, which says nothing", A1B, { version: "2.0" }],
    ["PDF/A-1a", A1A, { catalog: MARKED + TAGS }],
    ["PDF/A-2a", A2A, { catalog: MARKED + TAGS }],
    [
      "PDF/A-4f",
      A4F,
      { version: "2.0", catalog: "/Names<</EmbeddedFiles<</Names[(a)<</Type/Filespec>>]>>>>" },
    ],
    ["PDF/UA-1", UA1, { catalog: tagged }],
    ["PDF/UA-2", UA2, { version: "2.0", catalog: tagged }],
    ["a part that nobody knows", UA1.replace("1", "77"), {}],
  ])("but %s that is fulfilled stays", async (_, xmp, shape) => {
    const file = claiming(xmp, shape);
    const results = [await rotate(file), await keep(file), await merge(file, file)];
    for (const { bytes, warnings } of results) {
      expect(warnings.filter(({ code }) => code !== "standard_unchecked")).toEqual([]);
      expect(textOf(bytes)).toContain(xmp);
      expect(textOf(bytes)).toMatch(/\/ID ?\[/);
    }
  });

  test.each<[what: string, xmp: string, shape: Shape, left: string, warning: ToolWarning]>([
    ["PDF/A-1a without tags", A1A, { catalog: MARKED }, A1B, lost("PDF/A-1a", "6.8.3.3")],
    ["PDF/A-1a without a mark", A1A, { catalog: TAGS }, A1B, lost("PDF/A-1a", "6.8.2.2")],
    ["PDF/A-2a without tags", A2A, { catalog: MARKED }, A2U, lost("PDF/A-2a", "6.7.3.3")],
    ["PDF/A-2a without a mark", A2A, { catalog: TAGS }, A2U, lost("PDF/A-2a", "6.7.2.2")],
    [
      "PDF/A-4f without attachments",
      A4F,
      { version: "2.0" },
      A4F.replace(/ pdfaid:conformance="F"/, (all) => " ".repeat(all.length)),
      lost("PDF/A-4f", "6.9"),
    ],
  ])("of %s another level stays", async (_, xmp, shape, left, warning) => {
    const { bytes, warnings } = await rotate(claiming(xmp, shape));
    expect(warnings).toEqual([warning]);
    expect(textOf(bytes)).toContain(left);
  });

  test("one goes, and the other stays", async () => {
    const { bytes, warnings } = await rotate(claiming(A1B + UA1));
    expect(warnings).toEqual([lost("PDF/UA-1", "7.1")]);
    expect(claimsIn(bytes)).toEqual(["pdfaid:part", "pdfaid:conformance"]);
  });

  test("PDF/A is lost where the result is encrypted", async () => {
    const work = async (pdf: Parameters<typeof keepClaims>[0]) => keepClaims(pdf, { isEncrypted: true });
    expect(await withPdf([{ file: claiming(A2U) }], { work })).toEqual([lost("PDF/A-2", "6.1.3")]);
  });

  test("a file that is sent back as it came keeps what it claims", async () => {
    const file = claiming(A1B, { trailer: "" });
    expect(await unlockPdf(file)).toMatchObject({ bytes: file, warnings: [] });
  });
});

describe("pages that are taken out", () => {
  const catalog = MARKED + TAGS + TITLE;

  test("keep claims, of which is told that only the structure was checked", async () => {
    const { warnings } = await keep(claiming(A1A + UA1, { catalog }), "1");
    expect(warnings).toEqual([unchecked("PDF/A-1"), unchecked("PDF/UA-1")]);
  });

  test.each([
    ["have no tags", "2", ["6.8.2.2", "7.1"]],
    ["are there twice and have tags once", "1,1", ["6.8.2", "7.1"]],
  ])("lose what asks for tags where they %s", async (_, range, clauses) => {
    const { bytes, warnings } = await keep(claiming(A1A + UA1, { catalog }), range);
    expect(warnings.filter(({ code }) => code.startsWith("standard"))).toEqual([
      lost("PDF/A-1a", clauses[0]!),
      lost("PDF/UA-1", clauses[1]!),
      unchecked("PDF/A-1"),
    ]);
    expect(claimsIn(bytes)).toEqual(["pdfaid:part", "pdfaid:conformance"]);
    expect(textOf(bytes)).toContain(A1B);
  });

  test("are told of each standard once, also where each is a file", async () => {
    const { warnings } = await splitPdf(claiming(A1A + UA1, { catalog }), { mode: "each" });
    expect(warnings).toEqual([
      unchecked("PDF/A-1"),
      unchecked("PDF/UA-1"),
      lost("PDF/A-1a", "6.8.2.2"),
      lost("PDF/UA-1", "7.1"),
    ]);
  });

  testWith("qpdf")("keep language, output intent and how the title is shown", async () => {
    const file = claiming(A1A + UA1, { catalog: catalog + intent(3) });
    for (const { bytes } of [await keep(file, "1"), await merge(file, file), await rotate(file)]) {
      const values = JSON.stringify(objectsOf(bytes));
      expect(values).toMatch(/"\/Lang":"u:en"/);
      expect(values).toMatch(/"\/DisplayDocTitle":true/);
      expect(values).toMatch(/"\/DestOutputProfile":"\d+ 0 R"/);
    }
  });
});

describe("of several files", () => {
  const second = { index: 1 };
  const notShared = (standard: string): ToolWarning => ({
    code: "standard_not_shared",
    standard,
    file: second,
  });

  test.each<[what: string, files: [Bytes, Bytes], warnings: ToolWarning[], claims: string[]]>([
    ["one does not", [claiming(A1B), claiming("")], [notShared("PDF/A-1")], []],
    ["one claims another part", [claiming(A1B), claiming(A2U)], [notShared("PDF/A-1")], []],
    ["the first does not", [claiming(""), claiming(A1B)], [], []],
    ["both do", [claiming(A1B), claiming(A1B)], [], ["part", "conformance"]],
    [
      "the colours of one fit another output intent",
      [claiming(A1B, { catalog: intent(3) }), claiming(A1B, { catalog: intent(4) })],
      [{ ...lost("PDF/A-1", "6.2.2"), file: second }],
      [],
    ],
    [
      "the colours fit the output intent",
      [claiming(A1B, { catalog: intent(3) }), claiming(A1B, { catalog: intent(3) })],
      [],
      ["part", "conformance"],
    ],
    [
      "only one has an output intent, the first",
      [claiming(A1B, { catalog: intent(3) }), claiming(A1B)],
      [],
      ["part", "conformance"],
    ],
    [
      "only one has an output intent, the second",
      [claiming(A2U), claiming(A2U, { catalog: intent(3) })],
      [{ ...lost("PDF/A-2", "6.2.3"), file: second }],
      [],
    ],
  ])("a claim stays only where all make it: %s", async (_, files, warnings, claims) => {
    const merged = await merge(...files);
    expect(merged.warnings).toEqual(warnings);
    expect(claimsIn(merged.bytes)).toEqual(claims.map((name) => `pdfaid:${name}`));
  });

  test("the lowest level stays", async () => {
    const tagged = claiming(A2A, { catalog: MARKED + TAGS });
    const files = [tagged, claiming(A2U), claiming(A2U.replace(">U<", ">B<"))];
    const { bytes, warnings } = await merge(...files);
    expect(warnings).toEqual([notShared("PDF/A-2a"), { ...notShared("PDF/A-2u"), file: { index: 2 } }]);
    expect(textOf(bytes)).toContain("<pdfaid:conformance>B<");
  });

  test("tags that one lacks cost PDF/UA, which is told of the whole", async () => {
    const files = [claiming(UA1, { catalog: MARKED + TAGS + TITLE }), claiming(UA1)];
    expect((await merge(...files)).warnings).toEqual([lost("PDF/UA-1", "7.1")]);
  });
});

describe("metadata from which a claim is taken", () => {
  const around = (xmp: string): string => `<?xpacket?><a pdfxid:v="1" b='é'>${xmp}</a>   <?xpacket end="w"?>`;
  const noId = { trailer: "" };

  test.each([
    A1B,
    A2U,
    A4F,
    `<b\npdfaid:part = "2"\tpdfaid:amd='2005'></b>`,
    "<pdfaid:part >1</pdfaid:part\n>",
  ])("loses only %s", async (xmp) => {
    const before = around(xmp);
    const { bytes } = await rotate(claiming(before, { ...noId, version: xmp === A4F ? "2.0" : "1.4" }));
    const after = /<\?xpacket\?>[^]*end="w"\?>/.exec(textOf(bytes))?.[0] ?? "";
    expect(after).toHaveLength(before.length);
    expect(claimsIn(Buffer.from(after, "latin1"))).toEqual([]);
    for (const part of [/<\?xpacket\?><a pdfxid:v="1" b='é'>/, /<\/a> {3}<\?xpacket end/])
      expect(after).toMatch(part);
  });

  test.each(["utf16le", "utf16be"] as const)("may be in %s", async (encoding) => {
    const wide = Buffer.from(`\ufeff${around(A1B)}`, "utf16le");
    const encode = (data: Buffer): Buffer => (encoding === "utf16le" ? data : data.swap16());
    const { bytes, warnings } = await rotate(claiming(encode(wide).toString("latin1"), noId));
    expect(warnings).toEqual([lost("PDF/A-1", "6.1.3")]);
    const data = /stream\n((?:\xff\xfe|\xfe\xff)[^]*?)\nendstream/.exec(textOf(bytes))?.[1] ?? "";
    const text = encode(Buffer.from(data, "latin1")).toString("utf16le");
    expect(text.replace(/ +/g, " ")).toBe(`\ufeff${around("<rdf:Description />").replace(/ +/g, " ")}`);
  });

  test("may be packed", async () => {
    const packed = deflateSync(Buffer.from(around(A2U), "latin1")).toString("latin1");
    const { bytes, warnings } = await rotate(claiming(packed, { ...noId, entries: "/Filter/FlateDecode" }));
    expect(warnings).toEqual([lost("PDF/A-2", "6.1.3")]);
    expect(textOf(bytes)).toContain('<?xpacket?><a pdfxid:v="1"');
  });

  test("is written without filters for PDF/A-1", async () => {
    const packed = deflateSync(Buffer.from(around(A1B), "latin1")).toString("latin1");
    const { bytes, warnings } = await rotate(claiming(packed, { entries: "/Filter/FlateDecode" }));
    expect(warnings).toEqual([]);
    expect(textOf(bytes)).toContain(around(A1B));
  });

  test("does not lose what describes the schema of the claim", async () => {
    const schema =
      "<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaProperty:name>part</pdfaProperty:name>";
    const { bytes } = await rotate(claiming(schema + A1B, noId));
    expect(textOf(bytes)).toContain(schema);
  });

  test.each([
    "<pdfaid:part>",
    " pdfaid:part=",
    ` pdfaid:part="`,
    ` pdfaid:part='`,
    "<pdfaid:part ",
    "<pdfaid:aaaaaaaaaa",
  ])("takes no longer for a hundred thousand times %s", async (piece) => {
    const { pages } = await rotate(claiming(piece.repeat(1e5), noId));
    expect(pages).toBe(2);
  });
});
