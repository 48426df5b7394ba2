import { type PageInfo, isOffered, PAGES } from "../app/paths/pages.ts";
import { words } from "../app/language/words.ts";
import { Icon } from "../parts/icon.tsx";
import { openWithFiles } from "./incoming.ts";
import type { PageName } from "../../wire/pages.ts";
import { shownPath } from "../app/paths/base.ts";

/** Opens another tool with files. */
export function ToolButton({
  page: { name, icon },
  files,
  kind,
  label = name === "share" ? words().files.sendOnce : words().pages[name].label,
  onOpen = () => openWithFiles(name, files),
}: {
  page: PageInfo;
  files: readonly File[];
  kind?: string;
  label?: string;
  /** Called in addition. */
  onOpen?: () => void;
}) {
  return (
    <button type="button" class={kind} onClick={onOpen}>
      <Icon name={icon} size={18} />
      {label}
    </button>
  );
}

const FOR_ONE: readonly PageName[] = ["pdf-split"];

/** Whether a page takes several files at once. */
export function takesSeveral(name: PageName): boolean {
  return !FOR_ONE.includes(name);
}

/** The other pages that work with these files, by their types. Pages of a PDF can be made of images, too. */
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

// A family of types ends with a star, as does the range of all types.
function isOf(type: string, family: string): boolean {
  const [kind = "", subtype] = family.split("/");
  return subtype === "*" ? kind === "*" || type.startsWith(`${kind}/`) : type === family;
}
