/**
 * The path of every page, by the name of its file in web/pages. The server's routes and the browser's router are
 * both made from this list.
 */
export const PAGE_PATHS = {
  share: "/",
  ask: "/ask",
  open: "/open",
  "pdf-merge": "/pdf-merge",
  "pdf-split": "/pdf-split",
  "pdf-rotate": "/pdf-rotate",
  "pdf-unlock": "/pdf-unlock",
  "image-convert": "/image-convert",
  "file-encrypt": "/file-encrypt",
  "file-hash": "/file-hash",
  "text-compare": "/text-compare",
  password: "/password",
  account: "/account",
  docs: "/docs",
  tools: "/tools",
  received: "/received",
} as const;

export type PageName = keyof typeof PAGE_PATHS;
