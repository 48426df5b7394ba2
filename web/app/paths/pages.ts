import { PAGE_FACTS, pathOf, type PageName } from "../../../wire/pages.ts";
import type { IconName } from "../../parts/icon.tsx";
import { entriesOf } from "../entries.ts";

export type Group = "Secrets" | "PDF" | "Files" | "Text" | "Service";

export const GROUPS: readonly Group[] = ["Secrets", "PDF", "Files", "Text", "Service"];

/** A page; what it is called is in the words of each language. */
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

/** The tools that work on files and texts, for an overview. */
export const TOOLS: readonly PageInfo[] = PAGES.filter(
  ({ group }) => group === "PDF" || group === "Files" || group === "Text",
);
