import { useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { isForMembers } from "../../api/limits.ts";
import { isNowhere } from "../../app/focus.ts";
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
  /** Whether somebody tried to continue without entering anything. */
  readonly isMissing: boolean;
  /** Whether the text has the focus from the start. */
  readonly isFocused?: boolean;
  /** Whether it is being sent: a change now would not be in it. */
  readonly isBusy: boolean;
  /** The button that sends it, with its settings, in the foot of the sheet. */
  readonly action: ComponentChildren;
  readonly settings?: ComponentChildren;
  /** Opened between the text and the foot. */
  readonly children?: ComponentChildren;
}

/**
 * A sheet of paper: a text, files, or files with a message, and in its foot the clip that adds files and the controls
 * that send them.
 */
export function SecretContent(props: ContentProps) {
  const { text, files, label, isMissing, isFocused, isBusy, action, settings, children } = props;
  const t = words().share;
  const isOff = isForMembers("secrets");
  const add = (chosen: readonly File[]) => (files.value = [...files.value, ...chosen]);
  const incoming = useIncoming({ isOff, isMultiple: true, onFiles: add });
  const hasFiles = files.value.length > 0;
  const settled = useSettled(text);
  const isAsked = isMissing && !hasFiles && text.value === "";
  return (
    <div class="letter">
      <SecretText
        text={text}
        label={hasFiles ? t.message : label}
        rows={hasFiles ? MESSAGE_ROWS : TEXT_ROWS}
        isFocused={isFocused}
        isBusy={isBusy}
        problem={isAsked ? t.missing : hasFiles ? undefined : findProblem({ text: settled, files: [] })}
      />
      {hasFiles && <ContentFiles files={files} text={settled} isBusy={isBusy} />}
      <Refused incoming={incoming} />
      {children}
      <div class="bar send">
        {!isOff && <Drop what={hasFiles ? words().files.anyMore : words().files.any} incoming={incoming} />}
        {settings}
        {action}
      </div>
    </div>
  );
}

/** From this many characters on, the counts are updated when typing pauses: at each key the delay would be felt. */
const LONG = 10_000;
const PAUSE_MS = 300;

function useSettled({ value }: Signal<string>): string {
  const settled = useSignal(value);
  const isShort = value.length < LONG;
  useEffect(() => {
    if (isShort) return undefined;
    const timer = setTimeout(() => (settled.value = value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return isShort ? value : settled.value;
}

const TEXT_ROWS = 6;
const MESSAGE_ROWS = 3;

function SecretText(props: {
  text: Signal<string>;
  label: string;
  rows: number;
  isFocused: boolean | undefined;
  isBusy: boolean;
  problem: string | undefined;
}) {
  const { text, label, rows, isFocused, isBusy, problem } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    // After another action the heading has the focus, and says where one is.
    if (isFocused && isNowhere()) field.current?.focus();
  }, []);
  return (
    <div class="field">
      <label class={rows < TEXT_ROWS ? undefined : "unseen"} for="secret">
        {label}
      </label>
      <textarea
        ref={field}
        id="secret"
        class={rows < TEXT_ROWS ? "code low" : "code"}
        rows={rows}
        value={text.value}
        readOnly={isBusy}
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
