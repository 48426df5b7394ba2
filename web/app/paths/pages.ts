import { PAGE_PATHS, type PageName } from "../../../wire/page-paths.ts";
import type { IconName } from "../../parts/icon.tsx";
import { entriesOf } from "../entries.ts";

export type Group = "Secrets" | "PDF" | "Files" | "Text" | "Service";

export const GROUPS: readonly Group[] = ["Secrets", "PDF", "Files", "Text", "Service"];

interface PageDetails {
  readonly icon: IconName;
  /** Where the navigation shows it; a page without a group is reached by links only. */
  readonly group?: Group;
}

/** A page; what it is called is in the words of each language. */
export interface PageInfo extends PageDetails {
  readonly name: PageName;
  readonly path: string;
}

const DETAILS: Readonly<Record<PageName, PageDetails>> = {
  share: { icon: "share", group: "Secrets" },
  ask: { icon: "ask", group: "Secrets" },
  open: { icon: "open", group: "Secrets" },
  "pdf-merge": { icon: "merge", group: "PDF" },
  "pdf-split": { icon: "split", group: "PDF" },
  "pdf-rotate": { icon: "rotate", group: "PDF" },
  "pdf-unlock": { icon: "unlock", group: "PDF" },
  "image-convert": { icon: "image", group: "Files" },
  "file-encrypt": { icon: "lock", group: "Files" },
  "file-hash": { icon: "hash", group: "Files" },
  "text-compare": { icon: "compare", group: "Text" },
  password: { icon: "key", group: "Text" },
  account: { icon: "person", group: "Service" },
  docs: { icon: "code", group: "Service" },
  tools: { icon: "menu" },
  received: { icon: "download" },
};

/** Every page, in the order of the navigation. */
export const PAGES: readonly PageInfo[] = entriesOf(PAGE_PATHS).map(([name, path]) => ({
  name,
  path,
  ...DETAILS[name],
}));

/** The tools that work on files and texts, for an overview. */
export const TOOLS: readonly PageInfo[] = PAGES.filter(
  ({ group }) => group === "PDF" || group === "Files" || group === "Text",
);
