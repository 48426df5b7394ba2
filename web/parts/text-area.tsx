import type { Signal } from "@preact/signals";
import { Field } from "./field.tsx";

/** A few lines of text. */
export function TextArea({
  label,
  value,
  hint,
  problem,
  placeholder,
  rows = 3,
  isCode = false,
}: {
  label: string;
  value: Signal<string>;
  hint: string;
  /** Why the text cannot be used, in place of the hint. */
  problem?: string | undefined;
  placeholder?: string;
  rows?: number;
  /** Whether machines read it, in every language from left to right. */
  isCode?: boolean;
}) {
  return (
    <Field label={label} hint={problem ?? hint}>
      {(ids) => (
        <textarea
          {...ids}
          {...(isCode && { dir: "ltr", autocapitalize: "off", spellcheck: false })}
          class={isCode ? "code low" : "low"}
          rows={rows}
          autocomplete="off"
          value={value.value}
          placeholder={placeholder}
          aria-invalid={problem ? true : undefined}
          onInput={({ currentTarget }) => (value.value = currentTarget.value)}
        />
      )}
    </Field>
  );
}
