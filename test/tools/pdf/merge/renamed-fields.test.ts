import { expect, test } from "vitest";
import { mergePdf } from "../../../../tools/pdf-merge.ts";
import { assertClean } from "../support/judges.ts";
import { bytesOf, makePdf, textOf } from "../support/pdf-made.ts";

const wide = (text: string): string => `\xfe\xff${[...text].map((letter) => `\0${letter}`).join("")}`;
const hex = (text: string): string => `<${Buffer.from(text, "latin1").toString("hex")}>`;

/** A form in which actions name fields in every place where an action can be. */
const form = makePdf({
  1: "<</Type/Catalog/Pages 2 0 R/Outlines 10 0 R/AcroForm<</Fields[5 0 R 7 0 R 8 0 R]>>>>",
  2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 9 9]>>",
  3: "<</Type/Page/Parent 2 0 R/Annots[5 0 R 6 0 R 7 0 R 8 0 R]/AA<</O<</S/Hide/T(page.kid)>>>>/PresSteps<</NA<</S/ResetForm/Fields[(step)]>>>>>>",
  5: "<</FT/Tx/T(page)/Kids[6 0 R]/AA<</F<</S/Hide/T[(page)(other)]>>>>>>",
  6: "<</Subtype/Widget/Rect[0 0 9 9]/Parent 5 0 R/T(kid)/A<</S/SubmitForm/F(x)/Fields[5 0 R(step)]>>>>",
  7: `<</Subtype/Widget/Rect[0 0 9 9]/FT/Tx/T${hex(wide("step"))}/A<</S/Hide/T${hex(wide("page.kid"))}>>>>`,
  8: "<</Subtype/Widget/Rect[0 0 9 9]/FT/Sig/T(sign)/Lock<</Type/SigFieldLock/Action/Include/Fields[(page)(other)]>>>>",
  10: "<</First 11 0 R/Last 11 0 R/Count 1>>",
  11: "<</Title(x)/Parent 10 0 R/A<</S/Hide/T(step)/H false>>>>",
});

/** The names of the fields in a document, and those that actions and locks use, as text. */
function namesIn(bytes: Uint8Array): { fields: string[]; used: string[] } {
  const text = textOf(bytes).replace(/<([0-9a-f]+)>/g, (_, digits: string) => {
    const decoded = Buffer.from(digits, "hex").toString("latin1");
    return `(${decoded.startsWith("\xfe\xff") ? decoded.slice(2).replaceAll("\0", "") : decoded})`;
  });
  const actions =
    text.match(/\/S ?\/Hide[^>]*|\/Fields ?\[ ?\([^\]]*|\/Fields ?\[ ?\d+ 0 R ?\([^\]]*/g) ?? [];
  const used = actions.flatMap((each) => [...each.matchAll(/\(([\w.]+)\)/g)].map(([, name]) => name!));
  const rest = actions.reduce((left, action) => left.replace(action, ""), text);
  return {
    fields: [...rest.matchAll(/\/T ?\(([\w.]+)\)/g)].map(([, name]) => name!).sort(),
    used: used.sort(),
  };
}

test("actions and locks follow the fields that a merge renames", async () => {
  const { bytes, warnings } = await mergePdf([{ data: form }, { data: form }]);
  const own = namesIn(form);
  expect(own.used).toHaveLength(9);
  const renamed = (name: string) => name.replace(/^(page|step|sign)/, "$1_2");
  const { fields, used } = namesIn(bytes);
  expect(fields).toEqual([...own.fields, ...own.fields.map(renamed)].sort());
  expect(used).toEqual([...own.used, ...own.used.map(renamed)].sort());
  expect(warnings).toEqual([]);
  assertClean(bytes);
});

test("names in another encoding are the same names", async () => {
  const narrow = bytesOf(textOf(form).replace(hex(wide("step")), "(step)".padEnd(22)));
  const { fields } = namesIn((await mergePdf([{ data: form }, { data: narrow }])).bytes);
  expect(fields.filter((name) => name.startsWith("step"))).toEqual(["step", "step_2"]);
});

test("fields of one file that share a name go on sharing it", async () => {
  const shared = bytesOf(textOf(form).replace("/T(sign)", "/T(page)"));
  const { fields } = namesIn((await mergePdf([{ data: shared }, { data: shared }])).bytes);
  expect(fields.filter((name) => name.startsWith("page"))).toEqual(["page", "page", "page_2", "page_2"]);
});

test.each([
  ["the document", "/AcroForm<<", "/Names<</JavaScript<</Names[(a)<</S/JavaScript/JS(b)>>]>>>>/AcroForm<<"],
  ["its fields", "/AcroForm<<", "/AcroForm<</CO[5 0 R]"],
])("that scripts of %s do not follow is told", async (_, before, after) => {
  const scripted = bytesOf(
    textOf(form)
      .replace(before, after)
      .replace(/startxref[^]*/, ""),
  );
  const { warnings } = await mergePdf([{ data: form }, { data: scripted }]);
  expect(warnings).toContainEqual({ code: "fields_renamed", file: { index: 1 } });
});
