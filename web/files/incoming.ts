import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Failure } from "../api/failure.ts";
import { addTaker, type Arrival } from "./arriving.ts";
import type { FileKind } from "./file-kind.ts";
import { pathOf, type PageName } from "../../wire/pages.ts";
import { openPage, replacePage } from "../app/paths/route.ts";

/** What takes files for a page, from the field that chooses them too. */
export type IncomingFiles = ReturnType<typeof useIncoming>;

/** Files that a page has not taken, by the reason. */
interface RefusedFiles {
  /** Files of another kind. */
  readonly others: readonly File[];
  /** Files of this kind that cannot be used. */
  readonly unfit: readonly UnfitFile[];
  /** Files after the first, where a page takes one. */
  readonly surplus: readonly File[];
  readonly folders: readonly string[];
}

/** A file that the work would refuse. */
export interface UnfitFile {
  readonly file: File;
  readonly failure: Failure;
}

/** Checks files before any work; a file that cannot be checked counts as fit. */
export type UnfitFinder = (files: readonly File[]) => Promise<readonly UnfitFile[]>;

const NOTHING: RefusedFiles = { others: [], unfit: [], surplus: [], folders: [] };

/** Takes files that are dropped or pasted anywhere on the page, and those that another page has sent. */
export function useIncoming(options: {
  /** The kind of file that the tool takes; any where it is absent. */
  kind?: FileKind | undefined;
  isMultiple?: boolean;
  findUnfit?: UnfitFinder | undefined;
  isOff?: boolean;
  onFiles: (files: readonly File[]) => void;
}) {
  const { kind, isMultiple = false, isOff = false } = options;
  // The files that were taken last, and those that were not.
  const taken = useSignal<readonly File[]>([]);
  const refused = useSignal<RefusedFiles>(NOTHING);
  const latest = useRef(options);
  latest.current = options;
  const take = async ({ files, folders }: Arrival) => {
    if (files.length + folders.length === 0 || latest.current.isOff) return;
    const { fit: ofKind, others } = await sortByKind(files, kind);
    const unfit = (await latest.current.findUnfit?.(ofKind).catch(() => undefined)) ?? [];
    const fit = ofKind.filter((file) => unfit.every((each) => each.file !== file));
    taken.value = isMultiple ? fit : fit.slice(0, 1);
    refused.value = { others, unfit, surplus: fit.slice(taken.value.length), folders };
    if (taken.value.length > 0) latest.current.onFiles(taken.value);
  };
  // One after another: what was chosen first comes first, however long checking it takes.
  const before = useRef<Promise<void>>(Promise.resolve());
  const takeInTurn = (arrived: Arrival) => {
    before.current = before.current.catch(() => undefined).then(() => take(arrived));
  };
  const takeFiles = (files: Iterable<File>) => takeInTurn({ files: [...files], folders: [] });
  useEffect(() => takeFiles(takePendingFiles()), []);
  useEffect(() => (isOff ? undefined : addTaker(takeInTurn)), [isOff]);
  return { kind, isMultiple, take: takeFiles, taken, refused };
}

async function sortByKind(files: readonly File[], kind: FileKind | undefined) {
  if (!kind) return { fit: files, others: [] };
  // A file that cannot be checked is taken, even where the code for that is gone after an update: the work then says
  // why it fails.
  const code = await import("./file-kind.ts").catch(() => undefined);
  const fits = await Promise.all(files.map((file) => code?.isOfKind(file, kind).catch(() => true) ?? true));
  return { fit: files.filter((_, i) => fits[i]), others: files.filter((_, i) => !fits[i]) };
}

// Files on their way to another tool, kept here while its page is loaded.
let pendingFiles: readonly File[] = [];
let pendingText = "";

/** Opens another tool's page with these files. */
export function openWithFiles(page: PageName, files: readonly File[]): void {
  pendingFiles = files;
  // Nothing is lost: the other page gets the files.
  openPage(pathOf(page));
}

/** Opens another tool's page with these files in place of the current page. */
export function replaceWithFiles(page: PageName, files: readonly File[]): void {
  pendingFiles = files;
  replacePage(pathOf(page));
}

/** Takes the files that another page has sent to this one. */
function takePendingFiles(): readonly File[] {
  const files = pendingFiles;
  pendingFiles = [];
  return files;
}

/** Shows the page that shares secrets, with a text, instead of the current page. */
export function replaceWithText(text: string): void {
  pendingText = text;
  replacePage(pathOf("share"));
}

/** Takes the text that another page has sent to this one. */
export function takePendingText(): string {
  const text = pendingText;
  pendingText = "";
  return text;
}
