import type { IconName } from "../parts/icon.tsx";

export interface Entry {
  readonly path: string;
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly icon: IconName;
  readonly group: Group;
}

export type Group = "Secrets" | "PDF" | "Files" | "Text" | "Service";

export const GROUPS: readonly Group[] = ["Secrets", "PDF", "Files", "Text", "Service"];

/** Every page that the navigation leads to. */
export const ENTRIES: readonly Entry[] = [
  {
    path: "/",
    name: "Share a secret",
    title: "Share a secret",
    summary: "A link that opens once. Encrypted before it leaves your browser.",
    icon: "share",
    group: "Secrets",
  },
  {
    path: "/open",
    name: "Open a link",
    title: "Open a link",
    summary: "Paste a link that somebody sent you.",
    icon: "open",
    group: "Secrets",
  },
  {
    path: "/pdf-merge",
    name: "Merge",
    title: "Merge PDFs",
    summary: "Join documents, in your order, with the pages you choose.",
    icon: "merge",
    group: "PDF",
  },
  {
    path: "/pdf-split",
    name: "Split",
    title: "Split a PDF",
    summary: "One file per page, or keep or drop some pages.",
    icon: "split",
    group: "PDF",
  },
  {
    path: "/pdf-rotate",
    name: "Rotate",
    title: "Rotate a PDF",
    summary: "Turn all pages, or only some of them.",
    icon: "rotate",
    group: "PDF",
  },
  {
    path: "/pdf-unlock",
    name: "Unlock",
    title: "Unlock a PDF",
    summary: "Take off a password you know, and restrictions.",
    icon: "unlock",
    group: "PDF",
  },
  {
    path: "/image-convert",
    name: "Convert an image",
    title: "Convert an image",
    summary: "To WebP, JPEG, PNG or AVIF, without location or camera data.",
    icon: "image",
    group: "Files",
  },
  {
    path: "/file-encrypt",
    name: "Lock a file",
    title: "Lock a file",
    summary: "Encrypt any file under a password, or open a locked one.",
    icon: "lock",
    group: "Files",
  },
  {
    path: "/file-hash",
    name: "Checksum",
    title: "Checksum of a file",
    summary: "SHA-256, SHA-1 and MD5, compared with the one you expect.",
    icon: "hash",
    group: "Files",
  },
  {
    path: "/text-compare",
    name: "Compare",
    title: "Compare two texts",
    summary: "Side by side or as a patch, by line, word or character.",
    icon: "compare",
    group: "Text",
  },
  {
    path: "/password",
    name: "Password",
    title: "Make a password",
    summary: "Random characters or words, with their strength.",
    icon: "key",
    group: "Text",
  },
  {
    path: "/account",
    name: "Account",
    title: "Account",
    summary: "Your secrets, tokens and logins.",
    icon: "person",
    group: "Service",
  },
  {
    path: "/docs",
    name: "API",
    title: "The API",
    summary: "Everything these pages do, for scripts and programs.",
    icon: "code",
    group: "Service",
  },
];

/** The tools that work on files and texts, for an overview. */
export const TOOLS: readonly Entry[] = ENTRIES.filter(({ group }) =>
  ["PDF", "Files", "Text"].includes(group),
);
