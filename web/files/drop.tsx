import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import { formatBytes, formatNames } from "../app/language/format.ts";
import { fill, words } from "../app/language/words.ts";
import { isNowhere, useLostFocus } from "../app/focus.ts";
import { Icon } from "../parts/icon.tsx";
import { Status } from "../parts/note.tsx";
import { Example, type ExampleName } from "./example.tsx";
import type { FileKind } from "./file-kind.ts";
import type { IncomingFiles } from "./incoming.ts";

const PDFS = "application/pdf,.pdf";
const IMAGES = "image/*,.heic,.heif";
const ACCEPT: Readonly<Record<FileKind, string>> = {
  pdf: PDFS,
  image: IMAGES,
  page: `${PDFS},${IMAGES}`,
  text: "text/*",
};

/** A place to drop or choose files. */
export function Drop({
  what,
  incoming,
  example,
}: {
  /** The kind of file, such as "a PDF", in the chosen language. */
  what: string;
  incoming: IncomingFiles;
  /** What is done with files; without it there are some already. */
  example?: ExampleName;
}) {
  const t = words().files;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const isSlim = example === undefined;
  useLostFocus(input, { again: isSlim });
  return (
    <div class={isSlim ? "drop slim" : "drop"}>
      {example && (
        <>
          <Example of={example} />
          <p class="label">{fill(t.drop, { what })}</p>
        </>
      )}
      <label class={isSlim ? "button small" : "button primary"} for={id}>
        {isSlim ? (
          <>
            <Icon name="clip" />
            <span class="word">{fill(t.add, { what })}</span>
          </>
        ) : (
          fill(t.choose, { what })
        )}
      </label>
      {!isSlim && <p class="hint">{t.dropHint}</p>}
      <input
        ref={input}
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
      {isSlim && <Status kind="unseen">{formatTaken(incoming)}</Status>}
    </div>
  );
}

function formatTaken({ taken }: IncomingFiles): string | undefined {
  const names = taken.value.map(({ name }) => name);
  const { frame, files } = words();
  return names.length > 0
    ? fill(frame.labeled, { label: files.chosen, value: formatNames(names) })
    : undefined;
}

/** The chosen file, with a button to choose another. */
export function ChosenFile({
  file,
  remove = words().files.chooseOther,
  picture = <Icon name="file" />,
  about,
  onRemove,
}: {
  file: File;
  /** The text of the button. */
  remove?: string;
  /** A picture before its name. */
  picture?: ComponentChildren;
  /** What is known of it, after its size. */
  about?: ComponentChildren;
  onRemove: () => void;
}) {
  const place = useRef<HTMLDivElement>(null);
  useLostFocus(place, { when: isNowhere });
  return (
    <div ref={place} class="chosen" role="group" aria-label={file.name} tabIndex={-1}>
      {picture}
      <span class="name">{file.name}</span>
      <span class="hint">
        {formatBytes(file.size)}
        {about}
      </span>
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
