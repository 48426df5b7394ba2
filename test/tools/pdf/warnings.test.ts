import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createSharpCodec } from "../../../adapters/workers/image-sharp.ts";
import { cleanPdf } from "../../../tools/pdf-clean.ts";
import { compressPdf } from "../../../tools/pdf-compress.ts";
import { lockPdf } from "../../../tools/pdf-lock.ts";
import { mergePdf } from "../../../tools/pdf-merge.ts";
import { rotatePdf } from "../../../tools/pdf-rotate.ts";
import { splitPdf } from "../../../tools/pdf-split.ts";
import { unlockPdf } from "../../../tools/pdf-unlock.ts";
import { bytesOf, pagesPdf, refusal, textOf } from "./support/pdf-made.ts";

const SIGNED = { code: "signatures_broken" };
const CERTIFIED = { code: "certification_broken" };
const RIGHTS = { code: "usage_rights_broken" };
const SIGNATURE = "/V<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 1 2 3]/Contents<00>>>";
const AUTHOR = "/V<</Type/Sig/Reference[<</TransformMethod/DocMDP>>]>>";

const form = (entries: string): string => `/AcroForm<<${entries}>>`;

describe("signatures are looked for themselves", () => {
  test.each([
    ["a signature", form(`/SigFlags 3/Fields[<</FT/Sig/T(a)${SIGNATURE}>>]`), [SIGNED]],
    ["a signature without /SigFlags", form(`/Fields[<</FT/Sig/T(a)${SIGNATURE}>>]`), [SIGNED]],
    ["a type that a kid inherits", form(`/Fields[<</FT/Sig/T(a)/Kids[<<${SIGNATURE}>>]>>]`), [SIGNED]],
    ["an empty field", form("/SigFlags 1/Fields[<</FT/Sig/T(a)>>]"), []],
    ["/SigFlags alone", form("/SigFlags 3/Fields[]"), []],
    ["a certification", form(`/Fields[<</FT/Sig/T(a)${AUTHOR}>>]`), [CERTIFIED]],
    ["both", form(`/Fields[<</FT/Sig/T(a)${AUTHOR}>><</FT/Sig/T(b)${SIGNATURE}>>]`), [SIGNED, CERTIFIED]],
    ["a certification that only the catalog names", "/Perms<</DocMDP<</Type/Sig>>>>", [CERTIFIED]],
    ["usage rights", "/Perms<</UR3<</Type/Sig>>>>", [RIGHTS]],
  ])("%s", async (_, extra, warnings) => {
    const file = pagesPdf(1, { extra });
    expect((await rotatePdf(file, { angle: 90 })).warnings).toEqual(warnings);
    expect((await splitPdf(file, { mode: "keep", range: "1" })).warnings).toEqual(warnings);
    expect((await mergePdf([{ data: file }])).warnings).toEqual(warnings);
    expect((await unlockPdf(file)).warnings).toEqual([]);
  });
});

test("every tool that changes a restricted document says that its restrictions end", async () => {
  const ENDED = [{ code: "restrictions_removed" }];
  for (const name of ["owner-aes", "owner-rc4"]) {
    const file = new Uint8Array(readFileSync(new URL(`../../files/encrypted/${name}.pdf`, import.meta.url)));
    expect((await rotatePdf(file)).warnings).toEqual(ENDED);
    expect((await splitPdf(file)).warnings).toEqual(ENDED);
    expect((await cleanPdf(file)).warnings).toEqual(ENDED);
    expect((await lockPdf(file, { password: "geheim" })).warnings).toEqual(ENDED);
    expect((await mergePdf([{ data: pagesPdf(1) }, { data: file }])).warnings).toEqual([
      { ...ENDED[0], file: { index: 1 } },
    ]);
    const compressed = await compressPdf(file, { codec: createSharpCodec() });
    expect(compressed.warnings).toEqual(compressed.bytes.length < file.length ? ENDED : []);
    expect((await unlockPdf(file)).warnings).toEqual([]);
  }
});

describe("what a range leaves out of a merge is said as without one", () => {
  test.each([
    ["/Threads[]", "threads_left_out"],
    [form("/XFA(x)/Fields[]"), "xfa_left_out"],
    ["/Collection<<>>", "portfolio_left_out"],
  ])("%s", async (extra, code) => {
    const data = pagesPdf(2, { extra });
    for (const range of [undefined, "1"]) {
      const { bytes, warnings } = await mergePdf([{ data: pagesPdf(1) }, { data, range }]);
      expect(warnings).toEqual([{ code, file: { index: 1 } }]);
      expect(textOf(bytes)).not.toMatch(/Threads|XFA|Collection/);
    }
  });

  test("a portfolio that comes first shows its pages, not its files", async () => {
    const data = pagesPdf(1, { extra: "/Collection<<>>" });
    expect(textOf((await mergePdf([{ data }])).bytes)).not.toContain("Collection");
    expect(textOf((await splitPdf(data, { mode: "keep", range: "1" })).bytes)).not.toContain("Collection");
  });
});

describe("a merge says which file it is about", () => {
  const good = { data: pagesPdf(1) };

  test("in warnings", async () => {
    const broken = bytesOf(textOf(pagesPdf(1)).replace("xref\n0", "xrxx\n0"));
    const { warnings } = await mergePdf([good, good, { name: "c.pdf", data: broken }]);
    expect(warnings).toEqual([{ code: "xref_rebuilt", file: { index: 2, name: "c.pdf" } }]);
  });

  test.each([
    ["a range", { data: pagesPdf(1), range: "x" }],
    ["a page", { data: pagesPdf(1), range: "9" }],
    ["a file", { data: bytesOf("hello") }],
  ])("and where %s is refused", async (_, input) => {
    expect((await refusal(() => mergePdf([good, input]))).message).toMatch(/^File 2 of 2: /);
  });

  test("but one file alone needs no number", async () => {
    const [warning] = (await mergePdf([{ data: pagesPdf(1, { extra: "/Threads[]" }) }])).warnings;
    expect(warning).toEqual({ code: "threads_left_out" });
    expect((await refusal(() => mergePdf([{ data: bytesOf("hello") }]))).message).toMatch(
      /^The file is neither/,
    );
  });
});

test("a file that is sent back as it came is not called rebuilt", async () => {
  const broken = bytesOf(textOf(pagesPdf(1)).replace("xref\n0", "xrxx\n0"));
  const { bytes, warnings } = await unlockPdf(broken);
  expect(bytes).toEqual(broken);
  expect(warnings).toEqual([{ code: "damage_left" }]);
});

test("the only page is not called all 1 pages", async () => {
  const failure = await refusal(() => splitPdf(pagesPdf(1), { mode: "drop", range: "1" }));
  expect(failure.message).toBe("The range drops the only page; at least one must stay.");
});
