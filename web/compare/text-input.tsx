import { useSignal, type Signal } from "@preact/signals";
import { useId } from "preact/hooks";
import { readGivenText } from "../../wire/given-text.ts";
import { findFailure } from "../api/failure.ts";
import { formatFailure } from "../api/format-failure.ts";
import { words } from "../app/language/words.ts";
import { isFolder } from "../files/arriving.ts";
import { Icon } from "../parts/icon.tsx";
import { bytesOf } from "../work/read-chunks.ts";

/** A text that is typed, pasted, dropped or read from a file. */
export function TextInput({
  label,
  fileLabel,
  value,
}: {
  label: string;
  /** The words that a screen reader adds to "From a file". */
  fileLabel: string;
  value: Signal<string>;
}) {
  const id = useId();
  const refusal = useSignal<string | undefined>(undefined);
  const take = async (file: File | undefined) => {
    if (!file) return;
    try {
      const text = await readText(file);
      refusal.value = text === undefined ? words().compare.notText : undefined;
      value.value = text ?? value.value;
    } catch (error) {
      refusal.value = formatFailure(await findFailure(error));
    }
  };
  return (
    <div class="field">
      <div class="text-head">
        <label for={id}>{label}</label>
        <label class="button small">
          <Icon name="file" size={18} />
          {words().compare.fromFile}
          <span class="unseen"> {fileLabel}</span>
          <input
            class="unseen"
            type="file"
            onChange={({ currentTarget }) => {
              void take(currentTarget.files?.[0]);
              // Otherwise choosing the same file again, changed meanwhile, would not be a change.
              currentTarget.value = "";
            }}
          />
        </label>
      </div>
      <textarea
        id={id}
        class="code"
        rows={8}
        value={value.value}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => (value.value = event.currentTarget.value)}
        onDrop={(event) => {
          const [item, ...more] = event.dataTransfer?.items ?? [];
          // Several files are for both texts, which the page fills.
          if (item?.kind !== "file" || more.length > 0 || isFolder(item)) return;
          event.preventDefault();
          void take(item.getAsFile() ?? undefined);
        }}
      />
      {refusal.value && (
        <p class="hint" role="alert">
          {refusal.value}
        </p>
      )}
    </div>
  );
}

/** The text of a file; undefined where it is not text. */
export async function readText(file: File): Promise<string | undefined> {
  return readGivenText(await bytesOf(file));
}
