import { signal } from "@preact/signals";
import { isGuest } from "../app/paths/base.ts";
import { currentPath } from "../app/paths/route.ts";

/** Files that were dropped or pasted. */
export interface Arrival {
  readonly files: readonly File[];
  /** The names of folders from which nothing was taken. */
  readonly folders: readonly string[];
}

/** In one folder and below it. Nobody can look through more of them. */
export const MAX_FOLDER_FILES = 1000;

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
    if (!event.defaultPrevented && !isTextForField(event)) void arrive(event.clipboardData);
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
    void arrive(event.dataTransfer);
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

/** Whether a file of a transfer is a folder, which looks like a file that cannot be read. */
export function isFolder(item: DataTransferItem): boolean {
  return item.webkitGetAsEntry()?.isDirectory ?? false;
}

async function arrive(data: DataTransfer | null): Promise<void> {
  const items = [...(data?.items ?? [])].filter(({ kind }) => kind === "file");
  const files = items.flatMap((item) => (isFolder(item) ? [] : (item.getAsFile() ?? [])));
  const folders = items.filter(isFolder).flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (folders.length === 0) return give({ files, folders: [] });
  const code = await import("./dropped-folders.ts").catch(() => undefined);
  const filesOf = async (folder: FileSystemEntry) => (await code?.filesIn(folder, MAX_FOLDER_FILES)) ?? [];
  const inside = await Promise.all(folders.map(filesOf));
  give({
    files: [...files, ...inside.flat()],
    folders: folders.filter((_, i) => inside[i]?.length === 0).map(({ name }) => name),
  });
}

/** To the page that is shown, or to the person. */
function give(arrived: Arrival): void {
  const taker = strays.peek() ? undefined : takers.at(-1);
  if (taker) taker(arrived);
  else if (!isGuest(currentPath.peek())) askAbout(arrived);
}

/** Asks the person what to do with files. */
export function askAbout({ files, folders }: Arrival): void {
  if (files.length + folders.length === 0) return;
  const { files: before = [], folders: foldersBefore = [] } = strays.peek() ?? {};
  strays.value = { files: [...before, ...files], folders: [...foldersBefore, ...folders] };
}
