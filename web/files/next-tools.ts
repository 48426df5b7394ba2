import { shownPath } from "../app/paths/base.ts";
import { PAGES, type PageInfo } from "../app/paths/pages.ts";

/** The other pages that do something with a file of this type. */
export function nextTools(type: string): readonly PageInfo[] {
  return PAGES.filter(({ takes, path }) => takes && path !== shownPath() && isOf(type, takes));
}

// A family ends with a star, and so does everything.
function isOf(type: string, family: string): boolean {
  const [kind = "", subtype] = family.split("/");
  return subtype === "*" ? kind === "*" || type.startsWith(`${kind}/`) : type === family;
}
