import type { PageName } from "../../wire/pages.ts";
import { isOffered, PAGES, type PageInfo } from "../app/paths/pages.ts";
import { shownPath } from "../app/paths/base.ts";

const FOR_ONE: readonly PageName[] = ["pdf-split"];

/** Whether a page takes several files at once. */
export function takesSeveral(name: PageName): boolean {
  return !FOR_ONE.includes(name);
}

/** The other pages that do something with these files, by their types. Pages of a PDF are made of images, too. */
export function nextTools(files: readonly File[]): readonly PageInfo[] {
  return PAGES.filter(
    ({ name, takes, path }) =>
      takes &&
      path !== shownPath() &&
      files.every(({ type }) => isOf(type, takes) || (name === "pdf-merge" && isOf(type, "image/*"))) &&
      (files.length === 1 || takesSeveral(name)) &&
      isOffered(name),
  );
}

// A family ends with a star, and so does everything.
function isOf(type: string, family: string): boolean {
  const [kind = "", subtype] = family.split("/");
  return subtype === "*" ? kind === "*" || type.startsWith(`${kind}/`) : type === family;
}
