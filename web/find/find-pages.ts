/** A page with the terms by which it can be found. */
interface Findable {
  readonly title: string;
  /** Other words for it. */
  readonly terms: string;
}

/**
 * The pages that match a query, the best first. Every word of the query must occur in a page's title or terms; case,
 * accents and the order of the words do not matter.
 */
export function findPages<Page extends Findable>(pages: readonly Page[], query: string): Page[] {
  const wanted = plain(query).split(/\s+/).filter(Boolean);
  return pages
    .map((page) => ({ page, score: scoreOf(page, wanted) }))
    .filter(({ score }) => score >= 0)
    .sort((a, b) => b.score - a.score)
    .map(({ page }) => page);
}

/** Negative where a word does not occur. */
function scoreOf({ title, terms }: Findable, wanted: readonly string[]): number {
  const [name, others] = [plain(title), plain(terms)];
  const scores = wanted.map((word) => {
    if (name.startsWith(word)) return 4;
    if (beginsWord(name, word)) return 3;
    if (beginsWord(others, word)) return 2;
    // Chinese and Japanese have no spaces between words.
    return name.includes(word) || others.includes(word) ? 1 : -Infinity;
  });
  return scores.reduce((sum, score) => sum + score, 0);
}

function beginsWord(text: string, word: string): boolean {
  return ` ${text}`.includes(` ${word}`);
}

function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("-", " ");
}
