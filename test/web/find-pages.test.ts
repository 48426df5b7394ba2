import { expect, test } from "vitest";
import { PAGE_FACTS } from "../../wire/pages.ts";
import { findPages } from "../../web/find/find-pages.ts";
import { LANGUAGES } from "../../web/app/language/words.ts";
import { readWords } from "../../web/build/words.ts";

const PAGES = [
  { title: "Ein Bild umwandeln", terms: "Foto Größe ändern" },
  { title: "PDFs zusammenfügen", terms: "verbinden Bilder in PDF" },
  { title: "比较两段文字", terms: "对比 差异" },
];

function titles(query: string): string[] {
  return findPages(PAGES, query).map(({ title }) => title);
}

test("finds a page by the beginning of a word, by its terms, and in any order of words", () => {
  expect(titles("zusammen")).toEqual(["PDFs zusammenfügen"]);
  expect(titles("ändern foto")).toEqual(["Ein Bild umwandeln"]);
  expect(titles("foto pdf")).toEqual([]);
});

test("does not care about case, accents or sharp s", () => {
  expect(titles("GROSSE ANDERN")).toEqual(["Ein Bild umwandeln"]);
});

test("finds inside of a line where a language has no spaces", () => {
  expect(titles("两段")).toEqual(["比较两段文字"]);
  expect(titles("差异")).toEqual(["比较两段文字"]);
});

test("puts a title before other terms, and gives all for an empty query, in their order", () => {
  expect(titles("bild")).toEqual(["Ein Bild umwandeln", "PDFs zusammenfügen"]);
  expect(titles("  ")).toEqual(PAGES.map(({ title }) => title));
});

test.each(Object.keys(LANGUAGES))("has other words in %s for every page of the menu", (language) => {
  const { terms = {} } = readWords(language);
  const inMenu = Object.entries(PAGE_FACTS).filter(([, facts]) => "group" in facts);
  expect(Object.keys(terms).sort()).toEqual([...inMenu.map(([name]) => name), "tools"].sort());
});
