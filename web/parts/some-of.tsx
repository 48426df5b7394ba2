import type { Signal } from "@preact/signals";

/** Checkboxes for some of the words of a list, which are kept in its order. */
export function SomeOf<Word extends string>({
  legend,
  all,
  names,
  chosen,
  hint,
}: {
  legend: string;
  all: readonly Word[];
  names: Readonly<Record<Word, string>>;
  chosen: Signal<readonly Word[]>;
  hint?: string;
}) {
  const choose = (word: Word, isChosen: boolean) => {
    chosen.value = all.filter((each) => (each === word ? isChosen : chosen.value.includes(each)));
  };
  return (
    <fieldset class="field">
      <legend>{legend}</legend>
      {all.map((word) => (
        <label key={word} class="check">
          <input
            type="checkbox"
            checked={chosen.value.includes(word)}
            onChange={({ currentTarget }) => choose(word, currentTarget.checked)}
          />
          {names[word]}
        </label>
      ))}
      {hint && <p class="hint">{hint}</p>}
    </fieldset>
  );
}
