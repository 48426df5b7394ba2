import { useSignal, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { FileKind } from "./file-kind.ts";
import { takePendingFiles } from "./pending-files.ts";

/** How files come to a page, from the field that chooses them too. */
export interface Incoming {
  readonly kind: FileKind | undefined;
  readonly isMultiple: boolean;
  readonly take: (files: Iterable<File>) => void;
  /** Names of the last files that are of another kind, and were left out. */
  readonly refused: Signal<readonly string[]>;
}

/** Takes files that are dropped or pasted anywhere on the page, and those that another page has sent. */
export function useIncoming(options: {
  /** The kind of file that the tool takes; any where it is absent. */
  kind?: FileKind | undefined;
  isMultiple?: boolean;
  isOff?: boolean;
  onFiles: (files: readonly File[]) => void;
}): Incoming {
  const { kind, isMultiple = false } = options;
  const refused = useSignal<readonly string[]>([]);
  const latest = useRef(options);
  latest.current = options;
  const take = async (given: Iterable<File>) => {
    const files = isMultiple ? [...given] : [...given].slice(0, 1);
    if (files.length === 0 || latest.current.isOff) return;
    const { fit, others } = await sortByKind(files, kind);
    refused.value = others.map(({ name }) => name);
    if (fit.length > 0) latest.current.onFiles(fit);
  };
  useEffect(() => {
    const start = (files: Iterable<File>) => void take(files);
    start(takePendingFiles());
    const stopPaste = watchPaste(start);
    const stopDrop = watchDrop(start);
    return () => {
      stopPaste();
      stopDrop();
    };
  }, []);
  return { kind, isMultiple, take: (files) => void take(files), refused };
}

async function sortByKind(files: readonly File[], kind: FileKind | undefined) {
  if (!kind) return { fit: files, others: [] };
  const { isOfKind } = await import("./file-kind.ts");
  // What cannot be read is taken: the work says why it fails.
  const fits = await Promise.all(files.map((file) => isOfKind(file, kind).catch(() => true)));
  return { fit: files.filter((_, i) => fits[i]), others: files.filter((_, i) => !fits[i]) };
}

function watchPaste(take: (files: Iterable<File>) => void): () => void {
  const onPaste = ({ clipboardData, target }: ClipboardEvent) => {
    // Office programs put a picture of a text beside it.
    const isForField = target instanceof Element && target.matches("input, textarea");
    if (!isForField || !clipboardData?.types.includes("text/plain")) take(clipboardData?.files ?? []);
  };
  document.addEventListener("paste", onPaste);
  return () => document.removeEventListener("paste", onPaste);
}

// The whole window accepts the drop; otherwise a file that misses the field would replace the page.
function watchDrop(take: (files: Iterable<File>) => void): () => void {
  const ending = new AbortController();
  const options = { signal: ending.signal };
  const show = (isOver: boolean) => document.body.classList.toggle("dropping", isOver);
  const onDrag = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    show(true);
  };
  const onLeave = (event: DragEvent) => {
    if (!event.relatedTarget) show(false);
  };
  const onDrop = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    show(false);
    take(event.dataTransfer.files);
  };
  addEventListener("dragover", onDrag, options);
  addEventListener("dragleave", onLeave, options);
  addEventListener("drop", onDrop, options);
  return () => ending.abort();
}
