import { plural } from "../plural.ts";

/** What the menu and the heads of the pages say in English. */
export const pages = {
  pages: {
    share: {
      label: "Share a secret",
      title: "Share a secret",
      summary: "A link that opens once. Encrypted before it leaves your browser.",
    },
    open: { label: "Open a link", title: "Open a link", summary: "Paste a link that someone sent you." },
    "pdf-merge": {
      label: "Merge",
      title: "Merge PDFs",
      summary: "Combine documents in any order, with the pages you choose.",
    },
    "pdf-split": {
      label: "Split",
      title: "Split a PDF",
      summary: "One file per page, or keep or remove some pages.",
    },
    "pdf-rotate": {
      label: "Rotate",
      title: "Rotate a PDF",
      summary: "Turn all pages, or just some of them.",
    },
    "pdf-clean": {
      label: "Clean",
      title: "Clean a PDF",
      summary: "Take out what nobody should find in it.",
    },
    "pdf-compress": {
      label: "Compress",
      title: "Compress a PDF",
      summary: "Make it smaller, so that it fits into an email.",
    },
    "pdf-lock": {
      label: "Lock",
      title: "Lock a PDF",
      summary: "It opens only with a password of your choice.",
    },
    "pdf-unlock": {
      label: "Unlock",
      title: "Unlock a PDF",
      summary: "Remove a password you know, and any restrictions.",
    },
    "image-convert": {
      label: "Convert an image",
      title: "Convert an image",
      summary: "To WebP, JPEG, PNG or AVIF, without location or camera data.",
    },
    "file-encrypt": {
      label: "Lock a file",
      title: "Lock a file",
      summary: "Encrypt any file with a password, or open a locked one.",
    },
    "file-hash": {
      label: "Checksum",
      title: "Check a file",
      summary: "SHA-256, BLAKE3, MD5 and others, compared with the one you expect.",
    },
    "text-compare": {
      label: "Compare",
      title: "Compare two texts",
      summary: "Side by side or as a patch, by line, word or character.",
    },
    password: {
      label: "Password",
      title: "Generate a password",
      summary: "Random characters or words, with their strength.",
    },
    account: { label: "Account", title: "Account", summary: "Your secrets, tokens and logins." },
    docs: { label: "API", title: "API", summary: "Everything these pages can do, for scripts and programs." },
    "how-it-works": {
      label: "How it works",
      title: "How it works",
      summary: "Where the key is, what the server sees, and what it cannot do.",
    },
    verify: {
      label: "Verify these pages",
      title: "Verify these pages",
      summary: "Find out whether they are the ones that were released.",
    },
    tools: { label: "All tools", title: "All tools", summary: "All tools at a glance." },
    members: {
      label: "Members",
      title: "Members of this instance",
      summary: "See, disable and delete accounts.",
    },
    received: {
      label: "Shared with Hushkit",
      title: "Shared with Hushkit",
      summary: "Whatever another program has shared with these pages.",
    },
    "not-found": { title: "Page not found" },
    ask: {
      label: "Ask for a secret",
      title: "Ask for a secret",
      summary: "A link that someone can answer once. Only you can read the answer.",
    },
    answer: { title: "Someone asks you for a secret" },
    collect: { title: "Your request" },
  },
  tools: { lead: "They work in your browser. What you give them stays on your device." },
  notFound: { lead: "Perhaps you were looking for one of these." },
  find: {
    open: "Find a page or tool",
    field: "Page or tool",
    list: "Pages and tools",
    none: "Nothing is called that. Try another word.",
    count: plural({ one: "{count} found", other: "{count} found" }),
  },
};

/** What a language has to say there. */
export type PageWords = typeof pages;
