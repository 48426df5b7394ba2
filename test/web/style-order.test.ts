// browser
import { readdirSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DIST } from "../../web/build/stamp.ts";
import { sampled } from "../support/sampled.ts";
import { browserTest, openStage, type Stage } from "./support/browser.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const FOLDER = new URL("../../web/style/", import.meta.url);
const SHEETS = readdirSync(FOLDER).map((name) => ({
  name,
  text: readFileSync(new URL(name, FOLDER), "utf8"),
}));

test("every style sheet names all layers in one order, and has each rule in one of them", () => {
  const [first = ""] = /^@layer [^;{]+;/.exec(SHEETS[0]?.text ?? "") ?? [];
  const layers = first.replace("@layer ", "").replace(";", "").split(", ");
  expect(layers.length).toBeGreaterThan(10);
  for (const { name, text } of SHEETS) {
    expect([name, text.split("\n", 1)[0]]).toEqual([name, first]);
    // Formatted as they are, only what is outside of a layer begins its line.
    const outside = text.match(/^[^\s@/}*][^\n]*|^@(?!layer|font-face)[^\n]*/gm) ?? [];
    expect([name, ...outside]).toEqual([name]);
    for (const [, layer = ""] of text.matchAll(/^@layer ([^;{]+) \{/gm)) expect(layers).toContain(layer);
  }
});

/** How everything on a page looks with all style sheets, in an order. */
async function lookIn(page: Page, sheets: readonly string[]): Promise<string[]> {
  return page.evaluate(async (names) => {
    const old = [...document.querySelectorAll("link[rel=stylesheet]")];
    const links = names.map((name) => {
      const link = document.createElement("link");
      link.rel = "stylesheet";
      link.href = `/assets/${name}`;
      return link;
    });
    const loaded = links.map((link) => new Promise((resolve) => link.addEventListener("load", resolve)));
    document.head.append(...links);
    await Promise.all(loaded);
    for (const link of old) link.remove();
    return [...document.querySelectorAll("body *")].map((element) => {
      const style = getComputedStyle(element);
      const values = [...style].map((property) => `${property}: ${style.getPropertyValue(property)}`);
      return `${element.outerHTML.slice(0, 80)} ${values.join("; ")}`;
    });
  }, sheets);
}

browserTest("looks the same in whatever order its style sheets have come", async () => {
  const sheets = readdirSync(`${DIST}/assets`).filter((name) => /^(?!link-).*\.css$/.test(name));
  expect(sheets.length).toBeGreaterThan(4);
  for (const path of sampled(["/", "/text-compare", "/password", "/verify", "/account"], 2)) {
    const { page } = await stage.open(path);
    await page.locator(".loading").waitFor({ state: "detached" });
    const look = await lookIn(page, sheets);
    expect(look.length).toBeGreaterThan(50);
    for (const order of [sheets.toReversed(), [...sheets.slice(2), ...sheets.slice(0, 2)]])
      expect([path, ...(await lookIn(page, order))]).toEqual([path, ...look]);
  }
});
