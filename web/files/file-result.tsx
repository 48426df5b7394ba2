import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ToolWarning } from "../../wire/tool-warning.ts";
import type { Failure } from "../api/failure.ts";
import { formatFailure } from "../api/format-failure.ts";
import { formatWarning } from "../api/format-warning.ts";
import { formatBytes } from "../app/language/format.ts";
import { words, fill } from "../app/language/words.ts";
import { useUnsaved } from "../app/unsaved.tsx";
import { Note } from "../parts/note.tsx";
import { FirstPage, isImageByType } from "../pdf/thumbnails.tsx";
import { FileRow, SaveLink } from "./file-row.tsx";
import { useRows } from "./rows.tsx";
import { nextTools, ToolButton } from "./tool-button.tsx";
import { CopyableSecret } from "../parts/field.tsx";

/** A file that a tool made, here or on the server. */
export interface MadeFile {
  readonly file: File;
  /** Facts about it by their names. */
  readonly facts: Readonly<Record<string, string>>;
  readonly warnings: readonly ToolWarning[];
  /** It was written where the person chose. */
  readonly isSaved?: true;
  /** For several files, the result of each; the file is a ZIP with all of them. */
  readonly each?: readonly MadeFile[];
  /** For several files, those without a result. */
  readonly failures?: readonly { readonly name: string; readonly failure: Failure }[];
}

/** Makes a file of a result's data. */
export function makeFile(
  data: Uint8Array<ArrayBuffer> | Blob,
  { name, type }: { name: string; type: string },
): File {
  return new File([data], name, { type });
}

/** Remembers the inputs that a result was made from, and compares them with the current ones. */
export function useMadeFrom(inputs: readonly unknown[]) {
  const made = useRef<readonly unknown[]>([]);
  return {
    isOld: made.current.length !== inputs.length || inputs.some((input, i) => input !== made.current[i]),
    remember: () => void (made.current = inputs),
  };
}

/** A result that can be saved or opened in another tool. */
export function FileResult({
  made,
  isOld = false,
  onUndo,
  children,
}: {
  made: MadeFile;
  /** Whether a file or an option has changed since it was made. */
  isOld?: boolean;
  /** Returns to the chosen files, with the options unchanged. */
  onUndo?: () => void;
  children?: ComponentChildren;
}) {
  const { file, facts } = made;
  const section = useRef<HTMLElement>(null);
  const saved = useSignal<File | undefined>(undefined);
  useEffect(() => {
    // From the top of the page its name and the link to save it, and of a preview below what fits.
    scrollTo(0, 0);
    section.current?.querySelector(".made")?.scrollIntoView({ block: "nearest" });
  }, [file]);
  useUnsaved("result", !made.isSaved && saved.value !== file);
  return (
    <section
      ref={section}
      class={isOld ? "panel result old" : "panel result"}
      aria-label={words().common.result}
    >
      {isOld && <Note kind="warn">{words().files.old}</Note>}
      <FileRow
        file={file}
        isOld={isOld}
        isSaved={made.isSaved}
        {...(made.each && { label: words().files.saveAll })}
        onSave={() => (saved.value = file)}
      />
      {made.each && <EachResult key={file} each={made.each} onAllSaved={() => (saved.value = file)} />}
      {children}
      <Facts facts={facts} />
      {listRemarks(made).map((remark, i) => (
        <Note key={i} kind="warn">
          {remark}
        </Note>
      ))}
      <NextTools files={made.each?.map((each) => each.file) ?? [file]} />
      {onUndo && (
        <div class="actions">
          <button type="button" class="quiet small" onClick={onUndo}>
            {words().files.undo}
          </button>
        </div>
      )}
    </section>
  );
}

function listRemarks({ warnings, failures = [] }: MadeFile): string[] {
  const failed = failures.map(({ name, failure }) => `${name}: ${formatFailure(failure)}`);
  return [...failed, ...warnings.map(formatWarning)];
}

/** A list of names with values. */
function Facts({ facts }: { facts: Readonly<Record<string, string>> }) {
  const entries = Object.entries(facts);
  if (entries.length === 0) return null;
  return (
    <dl class="facts">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function NextTools({ files }: { files: readonly File[] }) {
  return (
    <div class="next">
      <span class="hint">{words().files.next}</span>
      {nextTools(files).map((page) => (
        <ToolButton key={page.name} page={page} kind="small" files={files} />
      ))}
    </div>
  );
}

/** Several results, each with its own link to save it. */
function EachResult({
  each,
  onAllSaved,
}: {
  each: readonly { readonly file: File; readonly facts: Readonly<Record<string, string>> }[];
  /** Called when each of them has been saved. */
  onAllSaved: () => void;
}) {
  const saved = useSignal<ReadonlySet<File>>(new Set());
  const { rows, more } = useRows(each);
  const save = (file: File) => {
    saved.value = new Set([...saved.value, file]);
    if (saved.value.size === each.length) onAllSaved();
  };
  return (
    <ul class="list">
      {rows.map(({ file, facts }, i) => (
        <li key={i} class="chosen">
          {isImageByType(file) && <FirstPage file={file} password="" />}
          <p class="part-name">
            <span class="name">{file.name}</span>
            <span class="hint">{describe(file, facts)}</span>
          </p>
          <SaveLink
            file={file}
            name={fill(words().files.saveOne, { name: file.name })}
            kind="small"
            onSave={() => save(file)}
          />
        </li>
      ))}
      {more && <li>{more}</li>}
    </ul>
  );
}

/** The first fact of a result, with its size unless that is part of the fact. */
function describe({ size }: File, facts: Readonly<Record<string, string>>): string {
  const [fact] = Object.values(facts);
  const bytes = formatBytes(size);
  if (fact === undefined) return bytes;
  return fact.includes(bytes) ? fact : `${fact} · ${bytes}`;
}

/** Shown with a file that was just locked, which cannot be opened without it. */
export function PasswordReminder({ password }: { password: string }) {
  return (
    <div>
      <p class="hint">{words().encrypt.reminder}</p>
      <CopyableSecret value={password} />
    </div>
  );
}
