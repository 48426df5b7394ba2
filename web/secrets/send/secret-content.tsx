import type { Signal } from "@preact/signals";
import { isForMembers } from "../../api/limits.ts";
import { words } from "../../app/language/words.ts";
import { Drop } from "../../files/drop.tsx";
import { Refused } from "../../files/refused.tsx";
import { useIncoming } from "../../files/incoming.ts";
import { findProblem } from "./content.ts";
import { ContentFiles } from "./content-files.tsx";

interface ContentProps {
  readonly text: Signal<string>;
  readonly files: Signal<readonly File[]>;
  readonly label: string;
  /** Whether somebody wanted to go on without having entered anything. */
  readonly isMissing: boolean;
}

/** A text, files, or files with a message. */
export function SecretContent({ text, files, label, isMissing }: ContentProps) {
  const t = words().share;
  const isOff = isForMembers("secrets");
  const add = (chosen: readonly File[]) => (files.value = [...files.value, ...chosen]);
  const incoming = useIncoming({ isOff, isMultiple: true, onFiles: add });
  const hasFiles = files.value.length > 0;
  const isAsked = isMissing && !hasFiles && text.value === "";
  return (
    <>
      <SecretText
        text={text}
        label={hasFiles ? t.message : label}
        rows={hasFiles ? MESSAGE_ROWS : TEXT_ROWS}
        problem={isAsked ? t.missing : hasFiles ? undefined : findProblem({ text: text.value, files: [] })}
      />
      {hasFiles && <ContentFiles files={files} text={text} />}
      {!isOff && (
        <Drop
          what={hasFiles ? words().files.anyMore : words().files.any}
          incoming={incoming}
          isSlim
          hint={t.dropHint}
        />
      )}
      <Refused incoming={incoming} />
    </>
  );
}

const TEXT_ROWS = 7;
const MESSAGE_ROWS = 3;

function SecretText(props: {
  text: Signal<string>;
  label: string;
  rows: number;
  problem: string | undefined;
}) {
  const { text, label, rows, problem } = props;
  return (
    <div class="field">
      <label for="secret">{label}</label>
      <textarea
        id="secret"
        class={rows < TEXT_ROWS ? "code low" : "code"}
        rows={rows}
        value={text.value}
        placeholder={words().share.placeholder}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? "secret-hint" : undefined}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <p class="hint" id="secret-hint" role="status">
        {problem}
      </p>
    </div>
  );
}
