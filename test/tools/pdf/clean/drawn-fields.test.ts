import { describe, expect, test } from "vitest";
import { cleanPdf } from "../../../../tools/pdf-clean.ts";
import { closeContent } from "../../../../tools/pdf/fields/close-content.ts";
import { utf8 } from "../../../../wire/bytes.ts";
import { testWith } from "../../../machine/skips.ts";
import { ask, assertClean, clearText, pageTexts } from "../support/judges.ts";
import { makePdf, stream, textOf } from "../support/pdf-made.ts";

const OLD = stream(
  "/Tx BMC BT /Helv 9 Tf 1 9 Td (old) Tj ET EMC",
  "/BBox[0 0 180 40]/Resources<</Font<</Helv 6 0 R>>>>",
);

/** A page with a field whose widget is 4 0 R; 7 0 R may be the field above it. */
function formPdf({
  widget = "",
  parent = "",
  form = "",
  content = "",
  appearance = OLD,
  font = "/Encoding/WinAnsiEncoding",
  page = "",
  objects = {},
}: {
  widget?: string;
  parent?: string;
  form?: string;
  content?: string;
  appearance?: string;
  font?: string;
  page?: string;
  objects?: Readonly<Record<number, string>>;
}) {
  return makePdf({
    1: `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[7 0 R]/DR<</Font<</Helv 6 0 R>>>>${form}>>>>`,
    2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 200 100]>>",
    3: `<</Type/Page/Parent 2 0 R/Annots[4 0 R]/Contents 8 0 R/Resources<</Font<</Helv 6 0 R>>>>${page}>>`,
    4: `<</Type/Annot/Subtype/Widget/Parent 7 0 R/Rect[10 10 190 50]${widget}>>`,
    5: appearance,
    6: `<</Type/Font${font.includes("/Subtype") ? "" : "/Subtype/Type1"}/BaseFont/Helvetica${font}>>`,
    7: `<</T(field)/Kids[4 0 R]${parent}>>`,
    8: stream(content),
    ...objects,
  });
}

const COMPOSITE = "/Subtype/Type0/Encoding/Identity-H/DescendantFonts[9 0 R]/ToUnicode 10 0 R";
/** Of each kind of entry one: letters in a range, others in a list, a single one, and one beyond 65,535. */
const TWO_BYTES = {
  9:
    "<</Type/Font/Subtype/CIDFontType2/BaseFont/Helvetica/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>" +
    "/FontDescriptor<</Type/FontDescriptor/FontName/Helvetica/Flags 4>>/DW 500/W[1[278]2 27 556 40[600 600]]>>",
  10: stream(
    "1 begincodespacerange <0000> <ffff> endcodespacerange\n" +
      "2 beginbfrange <0002> <001b> <0061>\n<0028> <0029> [<03a9> <03C1>] endbfrange\n" +
      "2 beginbfchar <0001> <0020>\n<0030> <d83dde00> endbfchar",
  ),
};

async function flattened(file: ReturnType<typeof formPdf>) {
  const { bytes, warnings } = await cleanPdf(file, { remove: ["forms"] });
  assertClean(bytes);
  const text = (await pageTexts(bytes)).join();
  return { bytes, warnings, text: text.replace(/\s+/g, " ").trim() };
}

const DA = "/DA(0 g /Helv 9 Tf)";
const NEW = "/NeedAppearances true";

describe("a field is drawn as readers show it", () => {
  test.each<[string, Parameters<typeof formPdf>[0], string]>([
    ["anew where the form says so", { widget: "/FT/Tx/V(new)/AP<</N 5 0 R>>", form: NEW + DA }, "new"],
    ["as it is where the form does not", { widget: "/FT/Tx/V(new)/AP<</N 5 0 R>>", form: DA }, "old"],
    ["empty where its value is gone", { widget: "/FT/Tx/AP<</N 5 0 R>>", form: NEW + DA }, ""],
    ["without an appearance", { widget: `/FT/Tx/V(new)${DA}` }, "new"],
    [
      "with an empty appearance",
      { widget: `/FT/Tx/V(new)/AP<</N 5 0 R>>${DA}`, appearance: stream("/Tx BMC EMC", "/BBox[0 0 9 9]") },
      "new",
    ],
    ["by what the field above it has", { parent: `/FT/Tx/V(new)/Q 2/Ff 0/MK<</BG[1]>>${DA}` }, "new"],
    ["with a value in UTF-16", { widget: `/FT/Tx/V<FEFF00FC00620065007220ac>${DA}` }, "über€"],
    ["with a value in PDFDocEncoding", { widget: `/FT/Tx/V(\\24012 \\215a\\216 \\205)${DA}` }, "€12 “a” –"],
    [
      "with an encoding that says its differences",
      {
        widget: `/FT/Tx/V(Z\\374rich's)${DA}`,
        font: "/Encoding<</Differences[39/quotesingle 128/udieresis]>>",
      },
      "Zürich's",
    ],
    [
      "with a font of two bytes",
      { widget: `/FT/Tx/V(new)${DA}`, font: COMPOSITE, objects: TWO_BYTES },
      "new",
    ],
    [
      "with characters beside those of Latin-1 in a font of two bytes",
      { widget: `/FT/Tx/V<FEFF03A903C10061D83DDE00>${DA}`, font: COMPOSITE, objects: TWO_BYTES },
      "Ωρa😀",
    ],
    [
      "on several lines in a font of two bytes",
      {
        widget: `/FT/Tx/Ff 4096/V(new\\n${"long ".repeat(20)})${DA}`,
        font: COMPOSITE,
        objects: TWO_BYTES,
      },
      `new ${"long ".repeat(20)}`,
    ],
    ["with a font that nobody has", { widget: "/FT/Tx/V(new)/DA(/Other 0 Tf)" }, "new"],
    [
      "on several lines",
      { widget: `/FT/Tx/Ff 4096/V(one\\ntwo ${"long ".repeat(20)})${DA}` },
      `one two ${"long ".repeat(20)}`.trim(),
    ],
    ["in cells", { widget: `/FT/Tx/Ff 16777216/MaxLen 3/V(abc)/DA(/Helv 30 Tf)` }, "abc"],
    ["as stars", { widget: `/FT/Tx/Ff 8192/V(abc)${DA}` }, "***"],
    [
      "as what a choice is called",
      { widget: `/FT/Ch/Ff 131072/Opt[[(a)(Apple)][(b)(Pear)]]/V(b)${DA}` },
      "Pear",
    ],
    [
      "as a list of all that can be chosen",
      { widget: `/FT/Ch/Opt[[(a)(Apple)](Pear)(Plum)]/V[(a)]/AP<</N 5 0 R>>`, form: NEW + DA },
      "Apple Pear Plum",
    ],
    ["as a list of which nothing is chosen", { widget: `/FT/Ch/Opt[(Pear)(Plum)]${DA}` }, "Pear Plum"],
    ["as a list that is scrolled", { widget: `/FT/Ch/Opt[(Pear)(Plum)]/TI 1${DA}` }, "Plum"],
    [
      "as the part of a list that is seen",
      { widget: `/FT/Ch/Opt[(Apple)(Pear)(Plum)]/DA(/Helv 20 Tf)` },
      "Apple Pear",
    ],
    [
      "as it is, a list that is empty where the form asks for nothing",
      { widget: `/FT/Ch/Opt[(Pear)]/AP<</N 5 0 R>>${DA}`, appearance: stream("", "/BBox[0 0 9 9]") },
      "",
    ],
    ["with the caption of a button", { widget: `/FT/Btn/Ff 65536/MK<</CA(Send)>>${DA}` }, "Send"],
    ["turned", { widget: `/FT/Tx/V(new)/MK<</R 90>>${DA}` }, "new"],
  ])("%s", async (_, parts, text) => {
    const { text: found, warnings } = await flattened(formPdf(parts));
    // Programs put spaces between letters that stand apart.
    expect(found.replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
    expect(warnings).toEqual([]);
  });

  test.each<[string, Parameters<typeof formPdf>[0], string]>([
    ["in a font that lacks its characters", { widget: `/FT/Tx/V<FEFF4E2D>${DA}` }, ""],
    [
      "in a font of two bytes that does not say what they are",
      { widget: `/FT/Tx/V(new)${DA}`, font: "/Subtype/Type0/Encoding/Identity-H" },
      "",
    ],
    [
      "in a font of two bytes that says what they are behind a filter of images",
      {
        widget: `/FT/Tx/V(new)${DA}`,
        font: COMPOSITE,
        objects: { ...TWO_BYTES, 10: stream("", "/Filter/DCTDecode") },
      },
      "",
    ],
    [
      "in a font of two bytes that lacks its characters",
      { widget: `/FT/Tx/V<FEFF4E2D>${DA}`, font: COMPOSITE, objects: TWO_BYTES },
      "",
    ],
    [
      "in a font of two bytes that is written down the page",
      { widget: `/FT/Tx/V(new)${DA}`, font: COMPOSITE.replace("-H", "-V"), objects: TWO_BYTES },
      "",
    ],
    ["without a default appearance", { widget: "/FT/Tx/V(new)" }, ""],
    ["in a list", { widget: `/FT/Ch/Opt[(a)<FEFF4E2D>]${DA}` }, ""],
    ["on a button without a default appearance", { widget: "/FT/Btn/Ff 65536/MK<</CA(Send)>>" }, ""],
    ["signed unseen", { widget: "/FT/Sig/V<</Type/Sig>>" }, ""],
    [
      "as it was, in a font that lacks its characters",
      { widget: `/FT/Tx/V<FEFF4E2D>/AP<</N 5 0 R>>${DA}`, form: NEW },
      "old",
    ],
  ])("one that cannot be drawn is told: %s", async (_, parts, text) => {
    const { text: found, warnings } = await flattened(formPdf(parts));
    expect(found).toBe(text);
    expect(warnings.filter(({ code }) => code === "fields_not_drawn")).toEqual([
      { code: "fields_not_drawn", fields: 1 },
    ]);
  });

  testWith("poppler").each([
    ["a state that the value names", "/FT/Btn/V/On/AP<</N<</On 5 0 R>>>>", "old"],
    [
      "being off where another button has the value",
      "/FT/Btn/V/On/AS/Off/AP<</N<</No 9 0 R/Off 5 0 R>>>>",
      "old",
    ],
    ["the state of its own", "/FT/Btn/V/On/AS/Off/AP<</N<</On 5 0 R>>>>", ""],
    ["a mark of its own making", "/FT/Btn/V/On/MK<</CA(4)>>", "✔"],
    ["nothing where it is off", "/FT/Btn/V/Off", ""],
  ])("a button shows %s", async (_, widget, text) => {
    const { bytes } = await flattened(formPdf({ widget }));
    expect(
      Buffer.from(ask(bytes, ["pdftotext", "-q", "@", "-"]), "latin1")
        .toString()
        .trim(),
    ).toBe(text);
  });

  test.each([
    ["a frame", "", "180 40 re f Q", true],
    [
      "a frame, where its states have none and the form asks for it",
      "/AP<</N<</On 5 0 R>>>>",
      "40 re f",
      true,
    ],
    ["a round frame, for radio buttons", "/Ff 32768", "110 20 m", true],
    ["nothing, where only another state has an appearance", "/AP<</N<</On 5 0 R>>>>", " f Q", false],
  ])("a button that is off and has no appearance shows %s", async (_, widget, drawn, isNew) => {
    const file = formPdf({ widget: `/FT/Btn/AS/Off/MK<</BG[1]>>${widget}`, form: isNew ? NEW : "" });
    const { bytes } = await cleanPdf(file, { remove: ["forms"] });
    expect(clearText(bytes).includes(drawn)).toBe(isNew);
  });

  test.each([
    ["a text", "/FT/Tx", "180 40 re f Q"],
    ["a choice", "/FT/Ch/Ff 131072/Opt[(a)]", "180 40 re f Q"],
  ])("%s without a value and without an appearance shows its frame", async (_, widget, drawn) => {
    const file = formPdf({ widget: `${widget}/MK<</BG[1]>>${DA}` });
    const { bytes, warnings } = await cleanPdf(file, { remove: ["forms"] });
    expect(clearText(bytes)).toContain(drawn);
    expect(warnings).toEqual([]);
  });

  test("what is chosen in a list has another color behind it", async () => {
    const behind = async (chosen: string) => {
      const widget = `/FT/Ch/Opt[[(a)(Apple)][(b)(Pear)]]${chosen}${DA}`;
      const { bytes } = await cleanPdf(formPdf({ widget }), { remove: ["forms"] });
      return clearText(bytes).match(/0\.6 0\.75 0\.85 rg 0 \S+ 180/g)?.length ?? 0;
    };
    expect(await behind("")).toBe(0);
    expect(await behind("/V(b)/I[0 1]")).toBe(1);
    expect(await behind("/I[0 1]")).toBe(2);
  });

  test.each([
    ["/Rotate 90", "0 1 -1 0 60 40 cm"],
    ["/Rotate -90", "0 -1 1 0 -40 60 cm"],
    ["/Rotate 180", "-1 0 0 -1 20 100 cm"],
    ["", "1 0 0 1 0 0 cm"],
  ])(
    "a field that does not turn with its page of %s stays upright around its corner",
    async (page, placed) => {
      const { bytes } = await flattened(formPdf({ widget: "/FT/Tx/F 20/AP<</N 5 0 R>>", page }));
      expect(clearText(bytes)).toContain(`q ${placed} `);
    },
  );

  test("on a form that asks for new appearances, a button shows its value", async () => {
    const widget = "/FT/Btn/V/On/AS/Off/AP<</N<</On 5 0 R>>>>";
    expect((await flattened(formPdf({ widget, form: NEW }))).text).toBe("old");
  });
});

describe("what is drawn behind content that is left open is seen", () => {
  const page = "BT /Helv 9 Tf 9 80 Td (page) Tj ET";

  test.each([
    ["a string without an end", `${page} (open`],
    ["a hexadecimal string without an end", `${page} <4142`],
    ["an array without an end", `${page} [(a)`],
    ["a bracket that closes nothing, and a string", `${page} ) (open`],
    ["an inline image without an end", `${page} BI /W 1 /H 1 ID abc`],
    ["states that are not restored", `${page} q q 0 0 1 1 re W n 1 0 0 1 500 500 cm`],
    ["text without an end", `${page} BT 3 Tr`],
    ["a comment", `${page} % end`],
  ])("%s", async (_, content) => {
    const { text, warnings } = await flattened(formPdf({ widget: "/FT/Tx/AP<</N 5 0 R>>", content }));
    expect(text).toBe("page old");
    expect(warnings).toEqual([]);
  });

  test("content that cannot be unpacked is told", async () => {
    const file = textOf(formPdf({ widget: "/FT/Tx/AP<</N 5 0 R>>", content: "no deflated" }));
    const broken = Buffer.from(
      file.replace("/Length 11>>", "/Length 11/Filter/FlateDecode>>").replace("xref\n", "xrof\n"),
      "latin1",
    );
    const { warnings } = await cleanPdf(Uint8Array.from(broken), { remove: ["forms"] });
    expect(warnings).toContainEqual({ code: "fields_not_drawn", fields: 1 });
  });

  test.each([
    ["sound content stays as it is", "q 1 w Q (a) Tj\n", "q 1 w Q (a) Tj\n", ""],
    ["a state that nothing saved is not restored", "1 w Q 2 w Q 3 w", "1 w  2 w  3 w", ""],
    ["open marks, states and text are closed", "q /A BMC BT", "q /A BMC BT", "ET\nEMC\nQ\n"],
  ])("%s", (_, content, left, closing) => {
    const closed = closeContent(utf8(content));
    expect({ text: textOf(closed.bytes), closing: closed.closing }).toEqual({ text: left, closing });
  });
});
