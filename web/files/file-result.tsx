import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ToolWarning } from "../../wire/tool-warning.ts";
import { EachResult } from "./each-result.tsx";
import { FileRow } from "./file-row.tsx";
import { nextTools } from "./next-tools.ts";
import { ToolButton } from "./tool-button.tsx";
import { useUnsaved } from "../app/unsaved.tsx";
import { words } from "../app/language/words.ts";
import { toFailure } from "../api/failure.ts";
import { formatFailure } from "../api/format-failure.ts";
import { formatWarning } from "../api/format-warning.ts";
import { Note } from "../parts/note.tsx";

/** A file that a tool made, here or on the server. */
export interface MadeFile {
  readonly file: File;
  /** Facts about it, by their name. */
  readonly facts: Readonly<Record<string, string>>;
  readonly warnings: readonly ToolWarning[];
  /** It was written where the person chose. */
  readonly isSaved?: true;
  /** Of several files, what was made of each; the file has all of them as a ZIP. */
  readonly each?: readonly MadeFile[];
  /** Of several files, those that nothing could be made of. */
  readonly failures?: readonly { readonly name: string; readonly error: unknown }[];
}

/** Wraps the data of a result as a file. */
export function makeFile(
  data: Uint8Array<ArrayBuffer> | Blob,
  { name, type }: { name: string; type: string },
): File {
  return new File([data], name, { type });
}

/** A result that can be saved or opened in another tool. */
export function FileResult({
  made,
  isOld = false,
  onUndo,
  children,
}: {
  made: MadeFile;
  /** Whether an option has changed since it was made. */
  isOld?: boolean;
  /** Goes back to the chosen files, with the options as they are. */
  onUndo?: () => void;
  children?: ComponentChildren;
}) {
  const { file, facts } = made;
  const section = useRef<HTMLElement>(null);
  const saved = useSignal<File | undefined>(undefined);
  useEffect(() => section.current?.scrollIntoView({ block: "nearest" }), [file]);
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
  const failed = failures.map(({ name, error }) => `${name}: ${formatFailure(toFailure(error))}`);
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
