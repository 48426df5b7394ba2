import { useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { fill, linkWords } from "../app/language/words.ts";
import { entriesOf } from "../app/entries.ts";
import { CopyButton } from "./copy.tsx";
import { Icon } from "./icon.tsx";

/** A control with a label above and an optional hint below. */
export function Field({
  label,
  hint,
  children,
}: {
  label: string;
  hint?: ComponentChildren;
  /** Gets the id for the control, and the id of the hint, if there is one. */
  children: (ids: { id: string; "aria-describedby": string | undefined }) => ComponentChildren;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, "aria-describedby": hint ? `${id}-hint` : undefined })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

interface TextProps {
  readonly label: string;
  readonly value: Signal<string>;
  readonly hint?: ComponentChildren;
  readonly placeholder?: string;
  readonly maxLength?: number;
  readonly isCode?: boolean;
  readonly isInvalid?: boolean;
}

/** One line of text. */
export function TextField({ label, value, hint, placeholder, maxLength, isCode, isInvalid }: TextProps) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <input
          {...ids}
          class={isCode ? "code" : undefined}
          value={value.value}
          placeholder={placeholder}
          maxLength={maxLength}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          aria-invalid={isInvalid ? true : undefined}
          onInput={(event) => (value.value = event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface NumberProps {
  readonly label: string;
  readonly value: Signal<string>;
  readonly minimum: number;
  readonly maximum?: number;
}

/** A whole number, as it was typed. */
export function NumberField({ label, value, minimum, maximum }: NumberProps) {
  return (
    <Field label={label}>
      {(ids) => (
        <input
          {...ids}
          class="short"
          type="number"
          min={minimum}
          max={maximum}
          value={value.value}
          onInput={({ currentTarget }) => (value.value = currentTarget.value)}
        />
      )}
    </Field>
  );
}

interface SecretProps extends TextProps {
  readonly autocomplete?: string;
  readonly isRequired?: boolean;
  /** Makes a value on demand, which is then shown and can be copied. */
  readonly suggest?: { readonly label: string; readonly make: () => string } | undefined;
}

/** A password or passphrase, hidden until the person shows it. */
export function SecretField(props: SecretProps) {
  const { label, value, hint, isInvalid, autocomplete = "off", isRequired, suggest } = props;
  const isShown = useSignal(false);
  const suggested = useSignal("");
  const isSuggested = suggested.value !== "" && suggested.value === value.value;
  const suggestValue = () => {
    value.value = suggested.value = suggest?.make() ?? "";
  };
  const kind = isShown.value ? ({ type: "text" } as const) : ({ type: "password" } as const);
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <>
          <div class="beside">
            <input
              {...ids}
              {...kind}
              required={isRequired}
              class="code"
              value={value.value}
              autocomplete={autocomplete}
              autocapitalize="off"
              spellcheck={false}
              aria-invalid={isInvalid ? true : undefined}
              onInput={(event) => (value.value = event.currentTarget.value)}
            />
            <button
              type="button"
              class="icon-only"
              aria-pressed={isShown.value}
              aria-label={fill(linkWords().common.showField, { field: label })}
              title={linkWords().common.show}
              onClick={() => (isShown.value = !isShown.value)}
            >
              <Icon name="eye" />
            </button>
            {suggest && <SuggestButton label={suggest.label} onClick={suggestValue} />}
          </div>
          {/* A value that nobody has seen could never be passed on. */}
          {isSuggested && <CopyableSecret value={value.value} />}
        </>
      )}
    </Field>
  );
}

function SuggestButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" class="icon-only" aria-label={label} title={label} onClick={onClick}>
      <Icon name="dice" />
    </button>
  );
}

/** A secret in plain sight, to be passed on. */
export function CopyableSecret({ value }: { value: string }) {
  return (
    <p class="copyable">
      <code>{value}</code>
      <CopyButton kind="small" text={() => value} />
    </p>
  );
}

interface ChoicesProps<Value extends string> {
  readonly label: string;
  readonly value: Signal<Value>;
  readonly choices: Readonly<Record<Value, string>>;
  /** For choices that need no visible label. */
  readonly isLabelUnseen?: boolean;
  readonly hint?: ComponentChildren;
}

/** A few choices, of which one is selected. */
export function Choices<Value extends string>({
  label,
  value,
  choices,
  hint,
  isLabelUnseen,
}: ChoicesProps<Value>) {
  const name = useId();
  return (
    <fieldset class="field">
      <legend class={isLabelUnseen ? "unseen" : undefined}>{label}</legend>
      <div class="choices">
        {entriesOf(choices).map(([choice, text]) => (
          <label key={choice}>
            <input
              type="radio"
              name={name}
              value={choice}
              checked={value.value === choice}
              onChange={() => (value.value = choice)}
            />
            {text}
          </label>
        ))}
      </div>
      {hint && <p class="hint">{hint}</p>}
    </fieldset>
  );
}

/** A checkbox. */
export function Check({ label, value }: { label: string; value: Signal<boolean> }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={value.value}
        onChange={(event) => (value.value = event.currentTarget.checked)}
      />
      {label}
    </label>
  );
}
