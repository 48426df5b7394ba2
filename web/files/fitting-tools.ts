import type { PageName } from "../../wire/pages.ts";
import { isForMembers } from "../api/limits.ts";
import { isOffered, PAGES, type PageInfo } from "../app/paths/pages.ts";
import { contentKindOf, type ContentKind } from "./file-kind.ts";
import { takesSeveral } from "./tool-button.tsx";

const FOR_PDF: readonly PageName[] = [
  "pdf-merge",
  "pdf-split",
  "pdf-rotate",
  "pdf-clean",
  "pdf-compress",
  "pdf-lock",
  "pdf-unlock",
];

/** The tools for files of a kind, the likeliest first. */
const FITTING: Readonly<Record<ContentKind, readonly PageName[]>> = {
  pdf: FOR_PDF,
  image: ["image-convert", "pdf-merge"],
  locked: ["file-encrypt"],
  text: ["text-compare"],
  other: [],
};
const FOR_ANY: readonly PageName[] = ["share", "file-encrypt", "file-hash"];

export type FittingTools = Awaited<ReturnType<typeof fittingTools>>;

/** The pages that take all of these files together, by their content. */
export async function fittingTools(files: readonly File[]) {
  const found = await Promise.all(files.map((file) => contentKindOf(file).catch(() => undefined)));
  const kinds = found.filter((kind) => kind !== undefined);
  const canTake = (name: PageName) => kinds.length === 1 || takesSeveral(name);
  const own = kinds.length > 0 ? FITTING[kinds[0] ?? "other"] : [];
  const ofAll = own.filter((name) => canTake(name) && kinds.every((kind) => FITTING[kind].includes(name)));
  const any = FOR_ANY.filter((name) => canTake(name) && !ofAll.includes(name) && kinds.length > 0);
  return {
    /** For files of their kind, and for every file. */
    own: pagesOf(ofAll),
    general: pagesOf(any),
    /** Gone, or not to be read. */
    unreadable: files.filter((_, i) => found[i] === undefined),
    kinds,
  };
}

function pagesOf(names: readonly PageName[]): readonly PageInfo[] {
  const isHere = (name: PageName) => isOffered(name) && !(name === "share" && isForMembers("secrets"));
  return PAGES.filter(({ name }) => names.includes(name) && isHere(name));
}
