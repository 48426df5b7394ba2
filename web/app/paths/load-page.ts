import type { ComponentType } from "preact";
import type { PageName } from "../../../wire/pages.ts";
import { words } from "../language/words.ts";
import { PAGES } from "./pages.ts";

// Vite makes a chunk of each file; it is fetched when its page is first shown.
const FILES = import.meta.glob<{ readonly Page: ComponentType }>("../../pages/**/*.tsx");

/** The page at a path. */
export async function loadPage(path: string): Promise<ComponentType> {
  const [, load] = Object.entries(FILES).find(([file]) => file.endsWith(`/${fileAt(path)}.tsx`)) ?? [];
  if (!load) throw new Error("There is no file for this page");
  return (await load()).Page;
}

/** What the browser's tab is named. */
export function titleAt(path: string): string {
  return words().pages[fileAt(path)].title;
}

function fileAt(path: string): PageName | "answer" | "collect" | "not-found" {
  if (path.startsWith("/r/")) return path.endsWith("/collect") ? "collect" : "answer";
  return PAGES.find((page) => page.path === path)?.name ?? "not-found";
}
