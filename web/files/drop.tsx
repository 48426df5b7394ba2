import { useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import { takePendingFiles } from "./pending-files.ts";
import { formatBytes } from "../app/format.ts";
import { fill, words } from "../app/words.ts";
import { Icon } from "../parts/icon.tsx";

interface DropProps {
  /** The kind of file, such as "a PDF", in the chosen language. */
  readonly what: string;
  readonly accept?: string;
  readonly isMultiple?: boolean;
  readonly isSlim?: boolean;
  /** Beside a slim one. */
  readonly hint?: string;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Takes files that are dropped, pasted or chosen, and those that another page has sent. */
export function Drop({ what, accept, isMultiple = false, isSlim, hint, onFiles }: DropProps) {
  const t = words().files;
  const id = useId();
  const isOver = useSignal(false);
  const take = (list: Iterable<File>) => {
    const files = [...list];
    if (files.length > 0) onFiles(isMultiple ? files : files.slice(0, 1));
  };
  useEffect(() => take(takePendingFiles()), []);
  useEffect(() => watchPaste(take), [onFiles]);
  useEffect(() => watchDrop({ take, onOver: (over) => (isOver.value = over) }), [onFiles]);
  return (
    <div class={`drop${isOver.value ? " over" : ""}${isSlim ? " slim" : ""}`}>
      <Icon name="upload" size={isSlim ? 20 : 32} />
      {!isSlim && <p class="label">{fill(t.drop, { what })}</p>}
      <label class={isSlim ? "button small" : "button primary"} for={id}>
        {fill(isSlim ? t.add : t.choose, { what })}
      </label>
      {(hint || !isSlim) && <p class="hint">{hint ?? t.dropHint}</p>}
      <input
        id={id}
        class="unseen"
        type="file"
        accept={accept}
        multiple={isMultiple}
        onChange={({ currentTarget }) => {
          take(currentTarget.files ?? []);
          // Otherwise choosing the same file again would not be a change.
          currentTarget.value = "";
        }}
      />
    </div>
  );
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

interface DropHandlers {
  readonly take: (files: Iterable<File>) => void;
  readonly onOver: (isOver: boolean) => void;
}

// The whole window accepts the drop; otherwise a file that misses the field would replace the page.
function watchDrop({ take, onOver }: DropHandlers): () => void {
  const ending = new AbortController();
  const options = { signal: ending.signal };
  const onDrag = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    onOver(true);
  };
  const onLeave = (event: DragEvent) => {
    if (!event.relatedTarget) onOver(false);
  };
  const onDrop = (event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    onOver(false);
    take(event.dataTransfer.files);
  };
  addEventListener("dragover", onDrag, options);
  addEventListener("dragleave", onLeave, options);
  addEventListener("drop", onDrop, options);
  return () => ending.abort();
}

/** The chosen file, with a button to choose another. */
export function ChosenFile({ file, onRemove }: { file: File; onRemove: () => void }) {
  return (
    <div class="chosen">
      <Icon name="file" />
      <span class="name">{file.name}</span>
      <span class="hint">{formatBytes(file.size)}</span>
      <button
        type="button"
        class="quiet icon-only small"
        aria-label={words().files.chooseOther}
        title={words().files.chooseOther}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
