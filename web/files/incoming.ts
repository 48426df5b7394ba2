import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Failure } from "../api/failure.ts";
import { addTaker, type Arrival } from "./arriving.ts";
import type { FileKind } from "./file-kind.ts";
import { pathOf, type PageName } from "../../wire/pages.ts";
import { openPage, replacePage } from "../app/paths/route.ts";

/** How files come to a page, from the field that chooses them too. */
export interface IncomingFiles {
  readonly kind: FileKind | undefined;
  readonly isMultiple: boolean;
  readonly take: (files: Iterable<File>) => void;
  /** What was taken of the last files, and what was left out of them. */
  readonly taken: Signal<readonly File[]>;
  readonly refused: Signal<Refusal>;
}

/** What a page has not taken, by why. */
interface Refusal {
  /** Files that are of another kind. */
  readonly others: readonly File[];
  /** Files of this kind of which nothing can be made. */
  readonly unfit: readonly UnfitFile[];
  /** Files behind the first, where a page takes one. */
  readonly surplus: readonly File[];
  readonly folders: readonly string[];
}

/** A file that the work would refuse. */
export interface UnfitFile {
  readonly file: File;
  readonly failure: Failure;
}

/** Looks into files before any work; what it cannot look at is fit. */
export type FindUnfit = (files: readonly File[]) => Promise<readonly UnfitFile[]>;

const NOTHING: Refusal = { others: [], unfit: [], surplus: [], folders: [] };

/** Takes files that are dropped or pasted anywhere on the page, and those that another page has sent. */
export function useIncoming(options: {
  /** The kind of file that the tool takes; any where it is absent. */
  kind?: FileKind | undefined;
  isMultiple?: boolean;
  findUnfit?: FindUnfit | undefined;
  isOff?: boolean;
  onFiles: (files: readonly File[]) => void;
}): IncomingFiles {
  const { kind, isMultiple = false, isOff = false } = options;
  const taken = useSignal<readonly File[]>([]);
  const refused = useSignal<Refusal>(NOTHING);
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
  // One after another: what was chosen first comes first, however long it is looked into.
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
  // What cannot be looked at is taken, also where the code for it is gone after an update: the work says why it fails.
  const code = await import("./file-kind.ts").catch(() => undefined);
  const fits = await Promise.all(files.map((file) => code?.isOfKind(file, kind).catch(() => true) ?? true));
  return { fit: files.filter((_, i) => fits[i]), others: files.filter((_, i) => !fits[i]) };
}

// What is on its way to another tool; it waits here while its page is loaded.
let pendingFiles: readonly File[] = [];
let pendingText = "";

/** Opens another tool's page with these files. */
export function openWithFiles(page: PageName, files: readonly File[]): void {
  pendingFiles = files;
  // Nothing is lost: the other page gets the files.
  openPage(pathOf(page));
}

/** The same, in place of the shown page. */
export function replaceWithFiles(page: PageName, files: readonly File[]): void {
  pendingFiles = files;
  replacePage(pathOf(page));
}

/** The files that another page has sent to this one; asking takes them. */
function takePendingFiles(): readonly File[] {
  const files = pendingFiles;
  pendingFiles = [];
  return files;
}

/** Shows the page that shares, with a text, in place of the shown page. */
export function replaceWithText(text: string): void {
  pendingText = text;
  replacePage(pathOf("share"));
}

/** The text that another page has sent to this one; asking takes it. */
export function takePendingText(): string {
  const text = pendingText;
  pendingText = "";
  return text;
}
