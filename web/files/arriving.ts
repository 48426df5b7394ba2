import { signal } from "@preact/signals";
import { isGuest } from "../app/paths/base.ts";
import { currentPath } from "../app/paths/route.ts";

/** Files that were dropped or pasted. */
export interface Arrival {
  readonly files: readonly File[];
  /** The names of folders, which no page takes. */
  readonly folders: readonly string[];
}

type Taker = (arrived: Arrival) => void;

const takers: Taker[] = [];

/** Files that were dropped on a page which takes none, until the person decides. */
export const strays = signal<Arrival | undefined>(undefined);

/** Gives a page everything that is dropped or pasted on it, until the returned function is called. */
export function addTaker(taker: Taker): () => void {
  takers.push(taker);
  return () => void takers.splice(takers.indexOf(taker), 1);
}

/** Takes files for the whole window: otherwise one that misses a field would replace the page. */
export function startArriving(): void {
  document.addEventListener("paste", (event) => {
    if (!event.defaultPrevented && !isTextForField(event)) arrive(event.clipboardData);
  });
  addEventListener("dragover", (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    showDropping(true);
  });
  addEventListener("dragleave", ({ relatedTarget }: DragEvent) => relatedTarget ?? showDropping(false));
  addEventListener("drop", (event: DragEvent) => {
    showDropping(false);
    // A field has taken it.
    if (event.defaultPrevented || !hasFiles(event)) return;
    event.preventDefault();
    arrive(event.dataTransfer);
  });
}

// Office programs copy a picture of a text along with it.
function isTextForField({ target, clipboardData }: ClipboardEvent): boolean {
  const isField = target instanceof Element && target.matches("input, textarea");
  return isField && (clipboardData?.types.includes("text/plain") ?? false);
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes("Files") ?? false;
}

function showDropping(isOver: boolean): void {
  document.body.classList.toggle("dropping", isOver);
}

function arrive(data: DataTransfer | null): void {
  const arrived = readTransfer(data);
  const taker = arrived.files.length > 0 && !strays.peek() ? takers.at(-1) : undefined;
  if (taker) taker(arrived);
  else if (!isGuest(currentPath.peek())) askAbout(arrived);
}

/** Asks the person what to do with files. */
export function askAbout({ files, folders }: Arrival): void {
  if (files.length + folders.length === 0) return;
  const { files: before = [], folders: foldersBefore = [] } = strays.peek() ?? {};
  strays.value = { files: [...before, ...files], folders: [...foldersBefore, ...folders] };
}

// A folder looks like a file that cannot be read.
function readTransfer(data: DataTransfer | null): Arrival {
  const items = [...(data?.items ?? [])].filter(({ kind }) => kind === "file");
  const entries = items.map((item) => ({ file: item.getAsFile(), entry: item.webkitGetAsEntry() }));
  const isFolder = ({ entry }: (typeof entries)[number]) => entry?.isDirectory ?? false;
  return {
    files: entries.flatMap((each) => (each.file && !isFolder(each) ? [each.file] : [])),
    folders: entries.filter(isFolder).map(({ entry }) => entry?.name ?? ""),
  };
}
