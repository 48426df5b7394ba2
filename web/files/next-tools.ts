import type { PageName } from "../../wire/page-paths.ts";
import { shownPath } from "../app/paths/base.ts";
import { PAGES, type PageInfo } from "../app/paths/pages.ts";

const NEXT: readonly { readonly type: RegExp; readonly pages: readonly PageName[] }[] = [
  { type: /pdf$/, pages: ["share", "pdf-merge", "pdf-split", "pdf-rotate", "file-encrypt", "file-hash"] },
  { type: /^image\//, pages: ["share", "image-convert", "file-encrypt", "file-hash"] },
  { type: /./, pages: ["share", "file-encrypt", "file-hash"] },
];

/** The other pages that do something with a file of this type. */
export function nextTools(type: string): readonly PageInfo[] {
  const names = NEXT.find((next) => next.type.test(type))?.pages ?? [];
  return PAGES.filter(({ name, path }) => names.includes(name) && path !== shownPath());
}
