import { describe, expect, test } from "vitest";
import { withoutHidden } from "../../../../tools/pdf/clean/hidden-content.ts";
import { isDict } from "../../../../tools/pdf/syntax/values.ts";
import { utf8 } from "../../../../wire/bytes.ts";
import { textOf } from "../support/pdf-made.ts";

const rewritten = (content: string) => {
  const { bytes, ...rest } = withoutHidden(utf8(content), {
    findLayer: (name) => (name === "Off" ? "hidden" : "shown"),
    findProperties: () => undefined,
    findDrawing: (name) => (name === "Hidden" ? "hidden" : name === "Partly" ? "partly" : "shown"),
    write: ([tag, properties]) =>
      utf8(`/${String(tag)} <<${isDict(properties) ? [...properties.keys()].join(" ") : ""}>>`),
  });
  return { ...rest, text: bytes && textOf(bytes) };
};

const shownWithout = (content: string) => rewritten(content).text;

test("content on a hidden layer goes, and the state that it sets stays", () => {
  expect(shownWithout("BT /OC /Off BDC 2 Tr (a) Tj 1 2 (b) \" (c) ' EMC T* (d) Tj ET")).toBe(
    "BT\n2 Tr\n1 Tw 2 Tc T*\nT*\nT*\n(d) Tj\nET\n",
  );
  expect(shownWithout("/OC /Off BDC 0 0 9 9 re f 0 0 5 5 re W n EMC /X Do")).toBe("0 0 5 5 re\nW n\n/X Do\n");
});

test.each([
  ["stands behind hidden text", "BT /OC /Off BDC (a) Tj EMC (b) Tj ET"],
  ["is moved from where hidden text ends", "BT 9 0 Td /OC /Off BDC [(a) 9] TJ 2 Tr EMC [-50 (b)] TJ ET"],
  ["stands behind a hidden line", "BT /OC /Off BDC (a) ' EMC (b) Tj ET"],
  ["is clipped by hidden text", "q BT 7 Tr /OC /Off BDC (a) Tj EMC ET 0 0 9 9 re f Q"],
])("what %s is not taken apart", (_, content) => {
  expect(() => shownWithout(content)).toThrow(/^Text on a page stands where hidden text before it ends/);
});

test.each(["T*", "0 -9 Td", "1 0 0 1 0 0 Tm", "ET BT"])(
  "text that is placed by %s stands where it stood",
  (place) => {
    expect(shownWithout(`BT q 7 Tr Q /OC /Off BDC (a) Tj EMC ${place} (b) Tj ET`)).toMatch(/\(b\) Tj/);
  },
);

test("content without layers is left to itself", () => {
  expect(shownWithout("BT (a) Tj ET")).toBeUndefined();
});

describe("marks around hidden content", () => {
  const hidden = "/OC /Off BDC (b) Tj EMC";

  test.each<[string, string, number[], number[]]>([
    ["all of which is hidden", `/P <</MCID 1>> BDC ${hidden} EMC`, [1], []],
    ["that stand in hidden content", `/OC /Off BDC /P <</MCID 1>> BDC (b) Tj EMC EMC`, [1], []],
    ["a part of which is hidden", `/P <</MCID 1>> BDC (a) Tj ${hidden} EMC`, [], [1]],
    ["around other marks", `/P <</MCID 1>> BDC /Q BMC ${hidden} EMC 0 0 9 9 re f EMC`, [], [1]],
    ["nothing of which is hidden", `/P <</MCID 1>> BDC (a) Tj EMC ${hidden}`, [], []],
    ["without an end", `/P <</MCID 1>> BDC ${hidden}`, [1], []],
    ["around a hidden drawing", "/P <</MCID 1>> BDC /Hidden Do EMC", [1], []],
    ["around a drawing that hides a part of it", "/P <</MCID 1>> BDC /Partly Do EMC", [], [1]],
  ])("%s", (_, content, all, part) => {
    const { hidden, partly } = rewritten(content);
    expect({ hidden: [...hidden], partly: [...partly] }).toEqual({ hidden: all, partly: part });
  });

  test("lose the texts that stand for it", () => {
    const texts = "/ActualText(x)/Alt(x)/E(x)/Lang(en)/MCID 1";
    expect(shownWithout(`/Span <<${texts}>> BDC (a) Tj ${hidden} EMC`)).toBe(
      "/Span <<Lang MCID>> BDC\n(a) Tj\nEMC\n",
    );
    expect(shownWithout(`${hidden}/Span <<${texts}>> BDC T* (a) Tj EMC`)).toContain(texts);
  });
});

test("content of very many operators, on a page or in one path, is rewritten", () => {
  const many = 300_000;
  const shown = "1 w\n".repeat(many);
  const clip = "0 0 m\n".repeat(many);
  expect(shownWithout(`${shown}/OC /Off BDC ${clip}W n EMC`)).toBe(`${shown}${clip}W n\n`);
});
