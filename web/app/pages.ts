import { PAGE_PATHS, type PageName } from "../../wire/page-paths.ts";
import type { IconName } from "../parts/icon.tsx";
import { entriesOf } from "./entries.ts";

export type Group = "Secrets" | "PDF" | "Files" | "Text" | "Service";

export const GROUPS: readonly Group[] = ["Secrets", "PDF", "Files", "Text", "Service"];

interface PageDetails {
  /** A few words for the navigation. */
  readonly label: string;
  readonly title: string;
  readonly summary: string;
  readonly icon: IconName;
  /** Where the navigation shows it; a page without a group is reached by links only. */
  readonly group?: Group;
}

export interface PageInfo extends PageDetails {
  readonly name: PageName;
  readonly path: string;
}

const DETAILS: Readonly<Record<PageName, PageDetails>> = {
  share: {
    label: "Share a secret",
    title: "Share a secret",
    summary: "A link that opens once. Encrypted before it leaves your browser.",
    icon: "share",
    group: "Secrets",
  },
  open: {
    label: "Open a link",
    title: "Open a link",
    summary: "Paste a link that somebody sent you.",
    icon: "open",
    group: "Secrets",
  },
  "pdf-merge": {
    label: "Merge",
    title: "Merge PDFs",
    summary: "Join documents, in your order, with the pages you choose.",
    icon: "merge",
    group: "PDF",
  },
  "pdf-split": {
    label: "Split",
    title: "Split a PDF",
    summary: "One file per page, or keep or drop some pages.",
    icon: "split",
    group: "PDF",
  },
  "pdf-rotate": {
    label: "Rotate",
    title: "Rotate a PDF",
    summary: "Turn all pages, or only some of them.",
    icon: "rotate",
    group: "PDF",
  },
  "pdf-unlock": {
    label: "Unlock",
    title: "Unlock a PDF",
    summary: "Take off a password you know, and restrictions.",
    icon: "unlock",
    group: "PDF",
  },
  "image-convert": {
    label: "Convert an image",
    title: "Convert an image",
    summary: "To WebP, JPEG, PNG or AVIF, without location or camera data.",
    icon: "image",
    group: "Files",
  },
  "file-encrypt": {
    label: "Lock a file",
    title: "Lock a file",
    summary: "Encrypt any file under a password, or open a locked one.",
    icon: "lock",
    group: "Files",
  },
  "file-hash": {
    label: "Checksum",
    title: "Checksum of a file",
    summary: "SHA-256, SHA-1 and MD5, compared with the one you expect.",
    icon: "hash",
    group: "Files",
  },
  "text-compare": {
    label: "Compare",
    title: "Compare two texts",
    summary: "Side by side or as a patch, by line, word or character.",
    icon: "compare",
    group: "Text",
  },
  password: {
    label: "Password",
    title: "Make a password",
    summary: "Random characters or words, with their strength.",
    icon: "key",
    group: "Text",
  },
  account: {
    label: "Account",
    title: "Account",
    summary: "Your secrets, tokens and logins.",
    icon: "person",
    group: "Service",
  },
  docs: {
    label: "API",
    title: "The API",
    summary: "Everything these pages do, for scripts and programs.",
    icon: "code",
    group: "Service",
  },
  tools: {
    label: "All tools",
    title: "All tools",
    summary: "Everything there is, at a glance.",
    icon: "menu",
  },
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
