import { useId } from "preact/hooks";
import { formatBytes, formatList } from "../app/language/format.ts";
import { fill, words } from "../app/language/words.ts";
import { Icon } from "../parts/icon.tsx";
import { Note } from "../parts/note.tsx";
import type { FileKind } from "./file-kind.ts";
import type { Incoming } from "./incoming.ts";

const PDFS = "application/pdf,.pdf";
const IMAGES = "image/*,.heic,.heif";
const ACCEPT: Readonly<Record<FileKind, string>> = {
  pdf: PDFS,
  image: IMAGES,
  page: `${PDFS},${IMAGES}`,
};

/** Where files are dropped or chosen. */
export function Drop({
  what,
  incoming,
  isSlim,
  hint,
}: {
  /** The kind of file, such as "a PDF", in the chosen language. */
  what: string;
  incoming: Incoming;
  isSlim?: boolean;
  /** Beside a slim one. */
  hint?: string;
}) {
  const t = words().files;
  const id = useId();
  return (
    <div class={isSlim ? "drop slim" : "drop"}>
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
        accept={incoming.kind && ACCEPT[incoming.kind]}
        multiple={incoming.isMultiple}
        onChange={({ currentTarget }) => {
          incoming.take([...(currentTarget.files ?? [])]);
          // Otherwise choosing the same file again would not be a change.
          currentTarget.value = "";
        }}
      />
    </div>
  );
}

const NAMED = 5;

/** Says which files were left out, and why. */
export function Refused({ incoming: { kind, refused } }: { incoming: Incoming }) {
  const names = refused.value;
  if (!kind || names.length === 0) return null;
  const named = names.length > NAMED ? [...names.slice(0, NAMED), "…"] : names;
  return <Note kind="bad">{fill(words().files.refused[kind], { names: formatList(named) })}</Note>;
}

/** The chosen file, with a button to choose another. */
export function ChosenFile({
  file,
  remove = words().files.chooseOther,
  onRemove,
}: {
  file: File;
  /** What the button says. */
  remove?: string;
  onRemove: () => void;
}) {
  return (
    <div class="chosen">
      <Icon name="file" />
      <span class="name">{file.name}</span>
      <span class="hint">{formatBytes(file.size)}</span>
      <button
        type="button"
        class="quiet icon-only small"
        aria-label={remove}
        title={remove}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
