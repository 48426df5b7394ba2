import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { FIRST_PAGES } from "../../wire/pages.ts";
import { MORE_ICONS } from "../../web/parts/more-icons.ts";
import { ASKING, MORE } from "../../web/words/words.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const IMPORT = /(?:from|import)\s*\(?\s*"(\.[^"]+\.tsx?)"/g;
/** What a file loads together with the further words. */
const WITH_WORDS = /\[\s*import\([^)]*\),\s*loadMoreWords\(moreWords\)/g;
/** Pages that load the words of requests as well. */
const ABOUT_REQUESTS = ["ask", "answer", "collect"];
/** `words().pdf` and `const { pdf: t } = words()`. */
const READ = /words\(\)\s*\.\s*(\w+)|\{([^{}]*)\}\s*=\s*(?:words|linkWords)\(\)/g;

/** All files of the pages that these come to, at once or later. */
function reachedFrom(files: readonly string[], seen = new Set<string>()): Set<string> {
  for (const file of files) {
    if (seen.has(file) || !existsSync(ROOT + file)) continue;
    seen.add(file);
    const imports = [
      ...readFileSync(ROOT + file, "utf8")
        .replaceAll(WITH_WORDS, "")
        .matchAll(IMPORT),
    ];
    const targets = imports.map(([, path = ""]) => join(file, "..", path));
    reachedFrom(targets, seen);
  }
  return seen;
}

function wordsReadBy(file: string): string[] {
  const reads = [...readFileSync(ROOT + file, "utf8").matchAll(READ)];
  return reads.flatMap(([, one, several = ""]) =>
    one === undefined ? several.split(",").map((part) => part.split(":")[0]?.trim() ?? "") : [one],
  );
}

test.each([
  [[...FIRST_PAGES.filter((name) => !ABOUT_REQUESTS.includes(name)), "not-found"], MORE],
  [ABOUT_REQUESTS, MORE.filter((word) => !ASKING.some((asking) => asking === word))],
])("%j say nothing that is loaded only with other pages", (names, later: readonly string[]) => {
  const pages = names.map((name) => `web/pages/${name}.tsx`);
  const files = [...reachedFrom(["web/main.tsx", ...pages])].filter((file) => file.startsWith("web/"));
  expect(files.length).toBeGreaterThan(60);
  const early = files.flatMap((file) => {
    const words = wordsReadBy(file).filter((word) => later.includes(word));
    return words.map((word) => `${file}: ${word}`);
  });
  expect(early).toEqual([]);
});

test("the page behind a link shows no icon that only the others have", () => {
  const later = Object.keys(MORE_ICONS);
  const files = [...reachedFrom(["web/link.tsx"])].filter((file) => file.endsWith(".tsx"));
  expect(files.length).toBeGreaterThan(15);
  const missing = files.flatMap((file) => {
    const shown = [...readFileSync(ROOT + file, "utf8").matchAll(/<Icon name="(\w+)"/g)];
    return shown.filter(([, name = ""]) => later.includes(name)).map(([, name]) => `${file}: ${name}`);
  });
  expect(missing).toEqual([]);
});
