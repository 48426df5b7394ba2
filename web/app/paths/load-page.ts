import type { ComponentType } from "preact";
import { FIRST_PAGES, type PageName } from "../../../wire/pages.ts";
import { isOffered } from "../offered.ts";
import { askingWords, moreWords } from "../language/all-words.ts";
import { loadMoreWords, words, type WordLoaders } from "../language/words.ts";
import { PAGES } from "./pages.ts";

// Vite makes a chunk of each file; it is fetched when its page is first shown.
const FILES = import.meta.glob<{ readonly Page: ComponentType }>("../../pages/**/*.tsx");

/** The page at a path. */
export async function loadPage(path: string): Promise<ComponentType> {
  const page = fileAt(path);
  const [, load] = Object.entries(FILES).find(([file]) => file.endsWith(`/${page}.tsx`)) ?? [];
  if (!load) throw new Error("There is no file for this page");
  const more = wordsBesides(page);
  const [{ Page }] = await Promise.all([load(), more && loadMoreWords(more)]);
  return Page;
}

/** What the browser's tab is named. */
export function titleAt(path: string): string {
  return words().pages[fileAt(path)].title;
}

/** What a page says besides the words that all have. */
function wordsBesides(page: ReturnType<typeof fileAt>): WordLoaders | undefined {
  if (page === "ask" || page === "answer" || page === "collect") return askingWords;
  return page === "not-found" || FIRST_PAGES.includes(page) ? undefined : moreWords;
}

function fileAt(path: string): PageName | "answer" | "collect" | "not-found" {
  if (path.startsWith("/r/")) return path.endsWith("/collect") ? "collect" : "answer";
  return PAGES.find((page) => page.path === path && isOffered(page.name))?.name ?? "not-found";
}
