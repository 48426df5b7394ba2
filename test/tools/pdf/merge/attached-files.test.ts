import { expect, test } from "vitest";
import { mergePdf } from "../../../../tools/pdf-merge.ts";
import { assertClean } from "../support/judges.ts";
import { makePdf, stream, textOf } from "../support/pdf-made.ts";

/** A document with attached files of these names, and a link with each of these targets. */
function attaching(names: readonly string[], targets: readonly string[]) {
  const links = targets.map((target) => `<</Subtype/Link/Rect[0 0 9 9]/A<</S/GoToE/D(x)${target}>>>>`);
  return makePdf({
    1: `<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[${names.map((name) => `(${name}) 4 0 R`).join(" ")}]>>>>>>`,
    2: "<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 9 9]>>",
    3: `<</Type/Page/Parent 2 0 R/Annots[${links.join("")}]>>`,
    4: "<</Type/Filespec/F(a.pdf)/EF<</F 5 0 R>>>>",
    5: stream("file", "/Type/EmbeddedFile"),
  });
}

/** The names of attached files, and those that links name as their targets; strings are written in two ways. */
function namesIn(bytes: Uint8Array): { files: string[]; targets: string[] } {
  const text = textOf(bytes).replace(
    /<([0-9a-f]+)>/g,
    (_, digits: string) => `(${Buffer.from(digits, "hex").toString("latin1")})`,
  );
  return {
    files: [...text.matchAll(/\(([\w.]+)\) ?\d+ 0 R/g)].map(([, name]) => name!),
    targets: [...text.matchAll(/\/N ?\(([\w.]+)\)/g)].map(([, name]) => name!),
  };
}

const CHILD = "/T<</R/C/N(a.pdf)>>";

test("links follow the attached files that a merge renames", async () => {
  const file = attaching(["a.pdf"], [CHILD]);
  const { bytes } = await mergePdf([{ data: file }, { data: file }, { data: attaching(["b.pdf"], [CHILD]) }]);
  const { files, targets } = namesIn(bytes);
  expect(files).toEqual(["a.pdf", "a.pdf_2", "b.pdf"]);
  expect(targets).toEqual(["a.pdf", "a.pdf_2", "a.pdf"]);
  assertClean(bytes);
});

test("what is named in another file keeps its name", async () => {
  const targets = [
    "/F(other.pdf)/T<</R/C/N(a.pdf)>>",
    "/T<</R/P/N(a.pdf)>>",
    "/T<</R/C/N(c.pdf)/T<</R/C/N(a.pdf)>>>>",
  ];
  const file = attaching(["a.pdf"], targets);
  const own = namesIn(file).targets;
  const { bytes } = await mergePdf([{ data: file }, { data: file }]);
  expect(namesIn(bytes).targets.sort()).toEqual([...own, ...own].sort());
});

test("of two files of one name in a document links lead to the first", async () => {
  const twice = attaching(["a.pdf", "a.pdf"], [CHILD]);
  const { bytes } = await mergePdf([{ data: attaching(["b.pdf"], []) }, { data: twice }]);
  expect(namesIn(bytes)).toEqual({ files: ["a.pdf", "a.pdf_2", "b.pdf"], targets: ["a.pdf"] });
});

test("attached files of one name are numbered in seconds, also forty thousand of them", async () => {
  const file = attaching(Array<string>(20_000).fill("a.pdf"), [CHILD]);
  const { bytes } = await mergePdf([{ data: file }, { data: file }]);
  const { files } = namesIn(bytes);
  expect(new Set(files).size).toBe(40_000);
  expect(files).toContain("a.pdf_40000");
}, 20_000);
