import type { Signal } from "@preact/signals";
import { formatFailure } from "../../api/format-failure.ts";
import { isForMembers, secretLimits } from "../../api/limits.ts";
import { formatNumber } from "../../app/language/format.ts";
import { fill, words } from "../../app/language/words.ts";
import { ChosenFile, Drop } from "../../files/drop.tsx";
import { useIncoming } from "../../files/incoming.ts";

interface ContentProps {
  readonly text: Signal<string>;
  readonly file: Signal<File | undefined>;
  readonly label: string;
  /** Whether somebody wanted to go on without having entered anything. */
  readonly isMissing: boolean;
}

/** A text, or a file in its place. */
export function SecretContent({ text, file, label, isMissing }: ContentProps) {
  const t = words().share;
  const isOff = isForMembers("secrets");
  const incoming = useIncoming({ isOff, onFiles: ([chosen]) => (file.value = chosen) });
  if (file.value) {
    return (
      <div class="field" role="group" aria-label={label}>
        <ChosenFile file={file.value} onRemove={() => (file.value = undefined)} />
        <p class="hint" role="status">
          {findProblem("", file.value)}
        </p>
      </div>
    );
  }
  return (
    <>
      <SecretText text={text} label={label} isMissing={isMissing && text.value === ""} />
      {!isOff && <Drop what={words().files.any} incoming={incoming} isSlim hint={t.dropHint} />}
    </>
  );
}

function SecretText({ text, label, isMissing }: Pick<ContentProps, "text" | "label" | "isMissing">) {
  const t = words().share;
  const hint = isMissing ? t.missing : findProblem(text.value);
  return (
    <div class="field">
      <label for="secret">{label}</label>
      <textarea
        id="secret"
        class="code"
        rows={7}
        value={text.value}
        placeholder={t.placeholder}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={hint ? true : undefined}
        aria-describedby={hint ? "secret-hint" : undefined}
        onInput={(event) => (text.value = event.currentTarget.value)}
      />
      <p class="hint" id="secret-hint" role="status">
        {hint}
      </p>
    </div>
  );
}

/** Says why a text or file cannot be sent, or nothing. */
export function findProblem(text: string, file?: File): string | undefined {
  if (!file) return tooLong(text);
  const { fileBytes } = secretLimits.value;
  const fields = { value: fileBytes, unit: "bytes", actual: file.size };
  return file.size > fileBytes ? formatFailure({ code: "file_too_large", fields }) : undefined;
}

/** Characters as people count them (Unicode code points), however many bytes they take once they are encrypted. */
function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function tooLong(text: string): string | undefined {
  // A text has at most as many characters as UTF-16 units.
  const { characters, isMember } = secretLimits.value;
  if (text.length <= characters) return undefined;
  const count = countCharacters(text);
  if (count <= characters) return undefined;
  const { tooLongForMember, tooLongForGuest } = words().share;
  const values = { count: formatNumber(count), limit: formatNumber(characters) };
  return fill(isMember ? tooLongForMember : tooLongForGuest, values);
}
