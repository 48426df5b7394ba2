import { useSignal, type Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
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
  /** Called with the id for the control, and the id of the hint, if there is one. */
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
  readonly autocomplete?: string;
  readonly isCode?: boolean;
  readonly isInvalid?: boolean;
  readonly isRequired?: boolean;
  /** Whether it takes the focus when it appears. */
  readonly isFocused?: boolean;
}

/** One line of text. */
export function TextField(props: TextProps) {
  return (
    <Field label={props.label} hint={props.hint}>
      {(ids) => <LineInput {...props} ids={ids} />}
    </Field>
  );
}

/** One line of text for the server, such as a name or a code: blanks around it, as a copy brings them, are dropped. */
export function TrimmedField(
  props: TextProps & {
    /** The keyboard of a phone, where it is not the usual one. */
    readonly inputMode?: "numeric" | "url";
  },
) {
  const { label, hint, value, inputMode } = props;
  const onChange = () => (value.value = value.value.trim());
  // A form that is sent by Ctrl+Enter (startMainAction) is no change for browsers.
  const onKeyDown = ({ key, isComposing }: KeyboardEvent) => key === "Enter" && !isComposing && onChange();
  return (
    <Field label={label} hint={hint}>
      {(ids) => <LineInput {...props} ids={{ ...ids, inputMode, onChange, onKeyDown }} />}
    </Field>
  );
}

function LineInput(props: TextProps & { ids: object; kind?: { type: "text" } | { type: "password" } }) {
  const { ids, kind, value, placeholder, maxLength, autocomplete = "off" } = props;
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (props.isFocused) input.current?.focus();
  }, []);
  return (
    <input
      {...ids}
      {...kind}
      ref={input}
      class={props.isCode ? "code" : undefined}
      value={value.value}
      placeholder={placeholder}
      maxLength={maxLength}
      required={props.isRequired}
      autocomplete={autocomplete}
      autocapitalize="off"
      spellcheck={false}
      aria-invalid={props.isInvalid ? true : undefined}
      onInput={(event) => (value.value = event.currentTarget.value)}
    />
  );
}

/** A whole number, as it was typed. */
export function NumberField({
  label,
  value,
  minimum,
  maximum,
}: {
  label: string;
  value: Signal<string>;
  minimum: number;
  maximum?: number;
}) {
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

export interface SecretProps extends TextProps {
  /** Shown beside the field, and below it. */
  readonly beside?: ComponentChildren;
  readonly below?: ComponentChildren;
}

/** A password or passphrase, hidden until the person shows it. */
export function SecretField({ beside, below, ...props }: SecretProps) {
  const isShown = useSignal(false);
  return (
    <Field label={props.label} hint={props.hint}>
      {(ids) => (
        <>
          <div class="beside">
            <LineInput
              {...props}
              ids={ids}
              kind={isShown.value ? { type: "text" } : { type: "password" }}
              isCode
            />
            <button
              type="button"
              class="icon-only"
              aria-pressed={isShown.value}
              aria-label={fill(linkWords().common.showField, { field: props.label })}
              title={linkWords().common.show}
              onClick={() => (isShown.value = !isShown.value)}
            >
              <Icon name="eye" />
            </button>
            {beside}
          </div>
          {below}
        </>
      )}
    </Field>
  );
}

/** A visible secret, to be passed on. */
export function CopyableSecret({ value }: { value: string }) {
  return (
    <p class="copyable">
      <code translate={false}>{value}</code>
      <CopyButton kind="small" text={() => value} />
    </p>
  );
}

/** Whether all of a field is selected, so that a copy by hand takes all of it. */
export function isWhole({ currentTarget: field }: { currentTarget: HTMLInputElement }): boolean {
  return field.selectionStart === 0 && field.selectionEnd === field.value.length;
}

interface ChoicesProps<Value extends string> {
  readonly label: string;
  readonly value: { value: Value };
  /** Choices that are not available here are absent. */
  readonly choices: Readonly<Partial<Record<Value, string>>>;
  /** For choices without a visible label. */
  readonly isLabelUnseen?: boolean;
  readonly isOff?: boolean;
  readonly hint?: ComponentChildren;
}

/** A few choices, of which one is selected. */
export function Choices<Value extends string>({
  label,
  value,
  choices,
  hint,
  isLabelUnseen,
  isOff,
}: ChoicesProps<Value>) {
  const name = useId();
  return (
    <fieldset class="field" disabled={isOff}>
      <legend class={isLabelUnseen ? "unseen" : undefined}>{label}</legend>
      <div class="choices">
        {/* What is missing has no entry. */}
        {entriesOf(choices as Readonly<Record<Value, string>>).map(([choice, text]) => (
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

/** A list of values by their names, of which one is selected. */
export function Select<Value extends string>({
  value,
  names,
  ...attributes
}: {
  value: Signal<Value>;
  names: Readonly<Record<Value, string>>;
  id?: string;
  "aria-label"?: string;
  "aria-describedby"?: string | undefined;
}) {
  const all = entriesOf(names);
  return (
    <select
      {...attributes}
      value={value.value}
      onChange={({ currentTarget }) => (value.value = all[currentTarget.selectedIndex]?.[0] ?? value.value)}
    >
      {all.map(([each, name]) => (
        <option key={each} value={each}>
          {name}
        </option>
      ))}
    </select>
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
