import { PAGE_FACTS, pathOf, type PageName, TOOL_NAMES, FIRST_PAGES } from "../../../wire/pages.ts";
import type { IconName } from "../../parts/icon.tsx";
import { entriesOf } from "../entries.ts";
import { instance } from "../instance.ts";
import type { ComponentType } from "preact";
import { askingWords, moreWords } from "../language/all-words.ts";
import { loadMoreWords, words, type WordLoaders } from "../language/words.ts";

export type Group = "Secrets" | "PDF" | "Files" | "Text" | "Service";

export const GROUPS: readonly Group[] = ["Secrets", "PDF", "Files", "Text", "Service"];

/** A page; its title is in the words of each language. */
export interface PageInfo {
  readonly name: PageName;
  readonly path: string;
  readonly icon: IconName;
  readonly group?: Group;
  readonly takes?: string;
}

/** Every page, in the order of the navigation. */
export const PAGES: readonly PageInfo[] = entriesOf(PAGE_FACTS).map(([name, facts]) => ({
  name,
  path: pathOf(name),
  ...facts,
}));

/** The tools for files and texts, for an overview. */
export const TOOLS: readonly PageInfo[] = PAGES.filter(
  ({ group }) => group === "PDF" || group === "Files" || group === "Text",
);

/** Whether a page is offered: tools that the operator has removed are not. */
export function isOffered(name: PageName): boolean {
  const { tools } = instance.value;
  return tools === undefined || !TOOL_NAMES.includes(name) || tools.includes(name);
}

// Vite makes a chunk of each file; it is loaded when its page is first shown.
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

/** The title of the browser's tab. */
export function titleAt(path: string): string {
  return words().pages[fileAt(path)].title;
}

/** The words of a page in addition to the common ones. */
function wordsBesides(page: ReturnType<typeof fileAt>): WordLoaders | undefined {
  if (page === "ask" || page === "answer" || page === "collect") return askingWords;
  return page === "not-found" || FIRST_PAGES.includes(page) ? undefined : moreWords;
}

function fileAt(path: string): PageName | "answer" | "collect" | "not-found" {
  if (path.startsWith("/r/")) return path.includes("/collect") ? "collect" : "answer";
  return PAGES.find((page) => page.path === path && isOffered(page.name))?.name ?? "not-found";
}
