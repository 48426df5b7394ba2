import { expect, test } from "vitest";
import { withoutHidden } from "../../../../tools/pdf/clean/hidden-content.ts";
import { utf8 } from "../../../../wire/bytes.ts";
import { textOf } from "../support/pdf-made.ts";

const shownWithout = (content: string) => {
  const left = withoutHidden(utf8(content), (name) => (name === "Off" ? "hidden" : "shown"));
  return left && textOf(left);
};

test("content on a hidden layer goes, and the state that it sets stays", () => {
  expect(shownWithout("BT /OC /Off BDC 2 Tr (a) Tj 1 2 (b) \" (c) ' EMC (d) Tj ET")).toBe(
    "BT\n2 Tr\n1 Tw 2 Tc T*\nT*\n(d) Tj\nET\n",
  );
  expect(shownWithout("/OC /Off BDC 0 0 9 9 re f 0 0 5 5 re W n EMC /X Do")).toBe("0 0 5 5 re\nW n\n/X Do\n");
});

test("content without layers is left to itself", () => {
  expect(shownWithout("BT (a) Tj ET")).toBeUndefined();
});

test("content of very many operators, on a page or in one path, is rewritten", () => {
  const many = 300_000;
  const shown = "1 w\n".repeat(many);
  const clip = "0 0 m\n".repeat(many);
  expect(shownWithout(`${shown}/OC /Off BDC ${clip}W n EMC`)).toBe(`${shown}${clip}W n\n`);
});
