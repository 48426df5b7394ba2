import { useSignal, type Signal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import {
  generatePasswords,
  PASSWORD_DEFAULTS,
  PASSWORD_LIMITS,
  type PasswordAnswer,
  type PasswordOptions,
} from "../../tools/password.ts";
import { CopyButton, CurlCommand } from "../parts/copy.tsx";
import { Check, Choices, Field, TextField } from "../parts/field.tsx";
import { Icon } from "../parts/icon.tsx";
import { Note } from "../parts/note.tsx";
import { curlJsonCommand } from "../app/curl.ts";
import { describeError } from "../api/server.ts";
import { PageHead } from "../app/shell.tsx";

interface Settings {
  readonly mode: Signal<"characters" | "words">;
  readonly length: Signal<number>;
  readonly words: Signal<number>;
  readonly separator: Signal<string>;
  readonly uppercase: Signal<boolean>;
  readonly digits: Signal<boolean>;
  readonly symbols: Signal<boolean>;
  readonly count: Signal<number>;
}

/** Generates passwords and passphrases. */
export function Page() {
  const settings = useSettings();
  const round = useSignal(0);
  const options = chosen(settings);
  const made = useMemo(() => make(options), [JSON.stringify(options), round.value]);
  return (
    <section class="page">
      <PageHead title="Make a password">
        From your system's random source, every character equally likely. It is made in this browser.
      </PageHead>
      <Choices label="Made of" value={settings.mode} choices={{ characters: "Characters", words: "Words" }} />
      {settings.mode.value === "characters" ? (
        <CharacterSettings settings={settings} />
      ) : (
        <WordSettings settings={settings} />
      )}
      <Count count={settings.count} />
      {"error" in made ? (
        <Note kind="bad">{made.error}</Note>
      ) : (
        <Passwords answer={made} onAgain={() => round.value++} />
      )}
      <CurlCommand line={curlJsonCommand("password", options)} />
    </section>
  );
}

function useSettings(): Settings {
  return {
    mode: useSignal<"characters" | "words">("characters"),
    length: useSignal<number>(PASSWORD_DEFAULTS.length),
    words: useSignal<number>(PASSWORD_DEFAULTS.words),
    separator: useSignal<string>(PASSWORD_DEFAULTS.separator),
    uppercase: useSignal<boolean>(true),
    digits: useSignal<boolean>(true),
    symbols: useSignal<boolean>(false),
    count: useSignal<number>(1),
  };
}

function chosen(settings: Settings): PasswordOptions {
  const { mode, length, words, separator, uppercase, digits, symbols, count } = settings;
  const common = { mode: mode.value, count: count.value };
  if (mode.value === "words") return { ...common, words: words.value, separator: separator.value };
  const classes = { uppercase: uppercase.value, digits: digits.value, symbols: symbols.value };
  return { ...common, length: length.value, ...classes };
}

function make(options: PasswordOptions): PasswordAnswer | { error: string } {
  try {
    return generatePasswords(options);
  } catch (error) {
    return { error: describeError(error).message };
  }
}

function CharacterSettings({ settings }: { settings: Settings }) {
  return (
    <>
      <Slider
        label="Length"
        value={settings.length}
        range={{ from: 8, to: 64 }}
        limit={PASSWORD_LIMITS.length}
      />
      <fieldset class="field">
        <legend>Besides a–z</legend>
        <div class="checks">
          <Check label="A–Z" value={settings.uppercase} />
          <Check label="0–9" value={settings.digits} />
          <Check label="Symbols" value={settings.symbols} />
        </div>
      </fieldset>
    </>
  );
}

function WordSettings({ settings }: { settings: Settings }) {
  return (
    <div class="fields">
      <Slider
        label="Words"
        value={settings.words}
        range={{ from: 3, to: 12 }}
        limit={PASSWORD_LIMITS.words}
      />
      <TextField label="Between the words" value={settings.separator} isCode />
    </div>
  );
}

interface SliderProps {
  readonly label: string;
  readonly value: Signal<number>;
  /** The range of the slider; the number field takes every legal value. */
  readonly range: { readonly from: number; readonly to: number };
  readonly limit: { readonly minimum: number; readonly maximum: number };
}

function Slider({ label, value, range, limit }: SliderProps) {
  const take = (text: string) => (value.value = Number(text));
  return (
    <Field label={label}>
      {(ids) => (
        <div class="slider">
          <input
            type="range"
            min={range.from}
            max={range.to}
            value={value.value}
            aria-label={`${label}, slider`}
            onInput={(event) => take(event.currentTarget.value)}
          />
          <input
            {...ids}
            type="number"
            min={limit.minimum}
            max={limit.maximum}
            value={value.value}
            onInput={(event) => take(event.currentTarget.value)}
          />
        </div>
      )}
    </Field>
  );
}

function Count({ count }: { count: Signal<number> }) {
  return (
    <Field label="How many">
      {(ids) => (
        <input
          {...ids}
          class="short"
          type="number"
          min={PASSWORD_LIMITS.count.minimum}
          max={PASSWORD_LIMITS.count.maximum}
          value={count.value}
          onInput={(event) => (count.value = Number(event.currentTarget.value))}
        />
      )}
    </Field>
  );
}

function Passwords({ answer, onAgain }: { answer: PasswordAnswer; onAgain: () => void }) {
  const { passwords, entropyBits } = answer;
  return (
    <section class="panel" aria-label="Result">
      {passwords.length === 1 ? (
        <output class="password">{passwords[0]}</output>
      ) : (
        <textarea class="code" readOnly rows={8} aria-label="Passwords" value={passwords.join("\n")} />
      )}
      <div class="actions">
        <CopyButton
          kind="primary"
          text={() => passwords.join("\n")}
          label={passwords.length === 1 ? "Copy" : "Copy all"}
        />
        <button type="button" onClick={onAgain}>
          <Icon name="dice" />
          Another
        </button>
      </div>
      <Strength bits={entropyBits} />
    </section>
  );
}

const MAX_BITS = 128;
const GRADES = [
  { below: 45, kind: "bad", name: "Weak", note: "A stolen list of hashed passwords gives it up in hours." },
  { below: 65, kind: "warn", name: "Fair", note: "Good enough where wrong tries are counted." },
  { below: 90, kind: "good", name: "Strong", note: "Not to be guessed by anyone for years." },
  {
    below: Infinity,
    kind: "good",
    name: "Very strong",
    note: "Not to be guessed, even for a key that protects everything.",
  },
] as const;

function Strength({ bits }: { bits: number }) {
  const grade = GRADES.find(({ below }) => bits < below) ?? GRADES[3];
  const share = Math.min(1, bits / MAX_BITS);
  return (
    <div class="strength">
      <p>
        <span class={`tag ${grade.kind}`}>{grade.name}</span> <span>{Math.floor(bits)} bits of entropy</span>
      </p>
      <meter class={grade.kind} min={0} max={1} value={share} aria-label="Strength" />
      <p class="hint">{grade.note}</p>
    </div>
  );
}
