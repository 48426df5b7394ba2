import type { ComponentType } from "preact";

type Load = () => Promise<ComponentType>;

/** The pages by path; each is loaded when it is first shown. */
const LOADERS: Readonly<Record<string, Load>> = {
  "/": () => import("../pages/share.tsx").then((page) => page.SharePage),
  "/open": () => import("../pages/open.tsx").then((page) => page.OpenPage),
  "/pdf-merge": () => import("../pages/pdf-merge.tsx").then((page) => page.PdfMergePage),
  "/pdf-split": () => import("../pages/pdf-split.tsx").then((page) => page.PdfSplitPage),
  "/pdf-rotate": () => import("../pages/pdf-rotate.tsx").then((page) => page.PdfRotatePage),
  "/pdf-unlock": () => import("../pages/pdf-unlock.tsx").then((page) => page.PdfUnlockPage),
  "/image-convert": () => import("../pages/image-convert.tsx").then((page) => page.ImageConvertPage),
  "/file-encrypt": () => import("../pages/file-encrypt.tsx").then((page) => page.FileEncryptPage),
  "/file-hash": () => import("../pages/file-hash.tsx").then((page) => page.FileHashPage),
  "/text-compare": () => import("../pages/text-compare.tsx").then((page) => page.TextComparePage),
  "/password": () => import("../pages/password.tsx").then((page) => page.PasswordPage),
  "/account": () => import("../pages/account.tsx").then((page) => page.AccountPage),
  "/docs": () => import("../pages/docs.tsx").then((page) => page.DocsPage),
  "/tools": () => import("../pages/tools.tsx").then((page) => page.ToolsPage),
};

/** What shows the page at this path. */
export function loaderOf(path: string): Load {
  if (path.startsWith("/s/")) return () => import("../pages/reveal.tsx").then((page) => page.RevealPage);
  return LOADERS[path] ?? (() => import("../pages/tools.tsx").then((page) => page.NotFoundPage));
}
