import "../../style/tools.css";
import { useSignal, type Signal } from "@preact/signals";
import {
  generateFromList,
  PASSWORD_DEFAULTS,
  PASSWORD_LIMITS,
  type PasswordAnswer,
  type PasswordRequest,
  type WordListName,
} from "../../../tools/password.ts";
import { CopyButton, CurlCommand } from "../../parts/copy.tsx";
import { Check, Choices, Field, TextField } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";
import { curlJsonCommand } from "../../app/curl.ts";
import { findFailure, type Failure } from "../../api/failure.ts";
import { FailureNote, useLatest } from "../../parts/job.tsx";
import { fill, words } from "../../app/language/words.ts";
import { PageHead } from "../../app/shell.tsx";
import { OwnPassword, Strength } from "../../password/strength.tsx";

/** Strong by itself: 14 characters, or 9 words. */
const STRONG_BITS = 80;

type Mode = "characters" | "passphrase" | "pattern";

type Settings = ReturnType<typeof useSettings>;

/** Generates passwords and passphrases. */
export function Page() {
  const t = words().password;
  const settings = useSettings();
  const round = useSignal(0);
  const options = chosen(settings);
  const made = useMade(options, round.value);
  const mode = settings.mode.value;
  const head = <PageHead title={words().pages.password.title}>{t.lead}</PageHead>;
  if (!made) {
    return (
      <section class="page">
        {head}
        <p class="loading">{words().frame.loading}</p>
      </section>
    );
  }
  return (
    <section class="page">
      {head}
      {"code" in made && <FailureNote failure={made} />}
      {"mode" in made && <Passwords answer={made} onAgain={() => round.value++} />}
      <Choices label={t.mode} value={settings.mode} choices={t.modes} />
      {mode !== "pattern" && <Choices label={t.by} value={settings.by} choices={t.bys} />}
      {mode !== "pattern" && settings.by.value === "entropy" && (
        <Slider
          label={t.minEntropy}
          value={settings.minEntropy}
          range={{ from: 40, to: 160 }}
          limit={PASSWORD_LIMITS.minEntropy}
        />
      )}
      {mode === "characters" && <CharacterSettings settings={settings} />}
      {mode === "passphrase" && <WordSettings settings={settings} />}
      {mode === "pattern" && (
        <TextField label={t.pattern} value={settings.pattern} hint={t.patternHint} isCode />
      )}
      <Count count={settings.count} />
      <CurlCommand line={curlJsonCommand("password", options)} />
      <OwnPassword />
    </section>
  );
}

function useSettings() {
  return {
    mode: useSignal<Mode>("characters"),
    length: useSignal<number>(PASSWORD_DEFAULTS.length),
    words: useSignal<number>(PASSWORD_DEFAULTS.words),
    list: useSignal<WordListName>("large"),
    pattern: useSignal("d{6}"),
    symbolSet: useSignal(""),
    requireAll: useSignal(false),
    separator: useSignal<string>(PASSWORD_DEFAULTS.separator),
    uppercase: useSignal(true),
    digits: useSignal(true),
    symbols: useSignal(false),
    excludeAmbiguous: useSignal(false),
    capitalize: useSignal(false),
    digit: useSignal(false),
    /** Bits instead of a length. */
    minEntropy: useSignal(STRONG_BITS),
    by: useSignal<"entropy" | "length">("entropy"),
    count: useSignal(1),
  };
}

function chosen(settings: Settings): PasswordRequest {
  const { mode, by, excludeAmbiguous, count } = settings;
  const common = { mode: mode.value, count: count.value };
  if (mode.value === "pattern") return { ...common, pattern: settings.pattern.value };
  const least = by.value === "entropy" ? { minEntropy: settings.minEntropy.value } : undefined;
  if (mode.value === "passphrase") {
    const { words, list, separator, capitalize, digit } = settings;
    const style = { separator: separator.value, capitalize: capitalize.value, digit: digit.value };
    const shared = digit.value ? { excludeAmbiguous: excludeAmbiguous.value } : {};
    return { ...common, ...shared, ...(least ?? { words: words.value }), list: list.value, ...style };
  }
  const { length, uppercase, digits, symbols, symbolSet, requireAll } = settings;
  const classes = { uppercase: uppercase.value, digits: digits.value, symbols: symbols.value };
  const own = symbols.value && symbolSet.value !== "" ? { symbolSet: symbolSet.value } : {};
  const rule = requireAll.value && hasKinds(settings) ? { requireAll: true } : {};
  const shared = { ...common, excludeAmbiguous: excludeAmbiguous.value };
  return { ...shared, ...(least ?? { length: length.value }), ...classes, ...own, ...rule };
}

/** Whether there are several kinds of characters, each of which can be required. */
function hasKinds({ uppercase, digits, symbols }: Settings): boolean {
  return uppercase.value || digits.value || symbols.value;
}

/** What the options make, once their list is loaded; the previous ones stay until then. */
function useMade(options: PasswordRequest, round: number): PasswordAnswer | Failure | undefined {
  return useLatest<PasswordAnswer | Failure>(
    () => generateFromList(options).catch(findFailure),
    [JSON.stringify(options), round],
  );
}

function CharacterSettings({ settings }: { settings: Settings }) {
  const t = words().password;
  return (
    <>
      {settings.by.value === "length" && (
        <Slider
          label={t.length}
          value={settings.length}
          range={{ from: 8, to: 64 }}
          limit={PASSWORD_LIMITS.length}
        />
      )}
      <fieldset class="field">
        <legend>{t.besides}</legend>
        <div class="checks">
          <Check label={t.uppercase} value={settings.uppercase} />
          <Check label={t.digits} value={settings.digits} />
          <Check label={t.symbols} value={settings.symbols} />
          <Check label={t.excludeAmbiguous} value={settings.excludeAmbiguous} />
          {hasKinds(settings) && <Check label={t.requireAll} value={settings.requireAll} />}
        </div>
      </fieldset>
      {settings.symbols.value && (
        <TextField label={t.symbolSet} value={settings.symbolSet} placeholder="!#%+-_" isCode />
      )}
    </>
  );
}

function WordSettings({ settings }: { settings: Settings }) {
  const t = words().password;
  return (
    <>
      {settings.by.value === "length" && (
        <Slider
          label={t.words}
          value={settings.words}
          range={{ from: 3, to: 12 }}
          limit={PASSWORD_LIMITS.words}
        />
      )}
      <Choices label={t.wordList} value={settings.list} choices={t.wordLists} />
      <TextField label={t.separator} value={settings.separator} isCode />
      <div class="checks">
        <Check label={t.capitalize} value={settings.capitalize} />
        <Check label={t.digit} value={settings.digit} />
        {settings.digit.value && <Check label={t.excludeAmbiguous} value={settings.excludeAmbiguous} />}
      </div>
    </>
  );
}

function Slider({
  label,
  value,
  range,
  limit,
}: {
  label: string;
  value: Signal<number>;
  /** The range of the slider; the number field takes every legal value. */
  range: { from: number; to: number };
  limit: { minimum: number; maximum: number };
}) {
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
            aria-label={fill(words().password.slider, { label })}
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
    <Field label={words().password.count}>
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
  const t = words().password;
  const { passwords, entropyBits } = answer;
  return (
    <section class="panel" aria-label={words().common.result}>
      {passwords.length === 1 ? (
        <output class="password" translate={false}>
          {passwords[0]}
        </output>
      ) : (
        <textarea
          class="code"
          readOnly
          autocomplete="off"
          rows={8}
          aria-label={t.list}
          value={passwords.join("\n")}
        />
      )}
      <div class="actions">
        <CopyButton
          kind="primary"
          text={() => passwords.join("\n")}
          label={passwords.length === 1 ? words().common.copy : t.copyAll}
        />
        <button type="button" onClick={onAgain}>
          <Icon name="dice" />
          {t.another}
        </button>
      </div>
      <Strength bits={entropyBits} text={fill(t.entropy, { bits: Math.floor(entropyBits) })} />
    </section>
  );
}
