import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { formatBytes } from "../app/language/format.ts";
import { linkWords } from "../app/language/words.ts";
import { Icon } from "../parts/icon.tsx";
import { Status } from "../parts/note.tsx";
import { useObjectUrl } from "./object-url.ts";

/** A file with its link to save it, which gets the focus. */
export function FileRow({
  file,
  isOld,
  isSaved,
  label = linkWords().common.save,
  onSave,
}: {
  file: File;
  /** Whether an option has changed since it was made. */
  isOld?: boolean;
  /** Whether it is on the disk already and needs no link. */
  isSaved?: boolean | undefined;
  /** The text of the link. */
  label?: string;
  onSave?: () => void;
}) {
  const save = useRef<HTMLAnchorElement>(null);
  useLayoutEffect(() => save.current?.focus({ preventScroll: true }), [file]);
  return (
    <div class="made">
      <Icon name="check" size={24} />
      <Status>
        <strong>{file.name}</strong> <span class="hint">{formatBytes(file.size)}</span>
        {isSaved && <> {linkWords().common.saved}</>}
      </Status>
      {!isSaved && (
        <SaveLink element={save} kind={isOld ? "" : "primary"} file={file} label={label} onSave={onSave} />
      )}
    </div>
  );
}

/** A link that saves a file. */
export function SaveLink({
  element,
  file,
  label = linkWords().common.save,
  name,
  kind = "",
  onSave,
}: {
  element?: RefObject<HTMLAnchorElement | null>;
  file: File;
  label?: string;
  /** For screen readers, where the label does not name the file. */
  name?: string;
  kind?: "primary" | "small" | "";
  onSave: (() => void) | undefined;
}) {
  return (
    <a
      ref={element ?? null}
      class={`button ${kind}`.trim()}
      href={useObjectUrl(file)}
      download={file.name}
      aria-label={name}
      onClick={onSave}
    >
      <Icon name="download" size={kind === "small" ? 18 : 20} />
      {label}
    </a>
  );
}
