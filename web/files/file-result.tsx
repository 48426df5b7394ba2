import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useObjectUrl } from "./object-url.ts";
import { nextTools } from "./next-tools.ts";
import { ToolButton } from "./tool-button.tsx";
import { formatBytes } from "../app/format.ts";
import { useUnsaved } from "../app/unsaved.tsx";
import { words } from "../app/words.ts";
import { formatWarning } from "./format-warning.ts";
import { Icon } from "../parts/icon.tsx";
import { Note } from "../parts/note.tsx";

/** A file that a tool made, here or on the server. */
export interface MadeFile {
  readonly file: File;
  /** Facts about it, by their name. */
  readonly facts: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** Wraps the bytes of a result as a file. */
export function makeFile(
  bytes: Uint8Array<ArrayBuffer>,
  { name, type }: { name: string; type: string },
): File {
  return new File([bytes], name, { type });
}

interface FileResultProps {
  readonly made: MadeFile;
  /** Whether an option has changed since it was made. */
  readonly isOld?: boolean;
  /** Whether it was saved already, without a click. */
  readonly isSaved?: boolean;
  readonly children?: ComponentChildren;
}

/** A result that can be saved or opened in another tool. */
export function FileResult({ made: { file, facts, warnings }, isOld, isSaved, children }: FileResultProps) {
  const save = useRef<HTMLAnchorElement>(null);
  const url = useObjectUrl(file);
  const saved = useSignal(isSaved ? file : undefined);
  useEffect(() => save.current?.focus({ preventScroll: true }), [file]);
  useUnsaved("result", saved.value !== file);
  return (
    <section class={isOld ? "panel result old" : "panel result"} aria-label={words().common.result}>
      {isOld && <Note kind="warn">{words().files.old}</Note>}
      <div class="made">
        <Icon name="check" size={24} />
        <p role="status">
          <strong>{file.name}</strong> <span class="hint">{formatBytes(file.size)}</span>
        </p>
        <a
          ref={save}
          class={isOld ? "button" : "button primary"}
          href={url}
          download={file.name}
          onClick={() => (saved.value = file)}
        >
          <Icon name="download" />
          {words().common.save}
        </a>
      </div>
      {children}
      <Facts facts={facts} />
      {warnings.map((warning) => (
        <Note key={warning} kind="warn">
          {formatWarning(warning)}
        </Note>
      ))}
      <NextTools file={file} />
    </section>
  );
}

/** A list of names with values. */
export function Facts({ facts }: { facts: Readonly<Record<string, string>> }) {
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

function NextTools({ file }: { file: File }) {
  return (
    <div class="next">
      <span class="hint">{words().files.next}</span>
      {nextTools(file.type).map((page) => (
        <ToolButton key={page.name} page={page} kind="small" files={[file]} />
      ))}
    </div>
  );
}
