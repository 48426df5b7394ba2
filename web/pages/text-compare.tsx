import { useSignal, type Signal } from "@preact/signals";
import { SERVER_URL } from "../app/base.ts";
import type { Granularity } from "../../tools/text-compare.ts";
import { CurlCommand } from "../parts/copy.tsx";
import { Check, Choices } from "../parts/field.tsx";
import { JobView, useJob } from "../parts/job.tsx";
import { PlaceChoice, type Place } from "../files/place.tsx";
import { quoteForShell } from "../app/curl.ts";
import { useDraft } from "../app/draft.ts";
import { useUnsaved } from "../app/unsaved.tsx";
import { words } from "../app/words.ts";
import { PageHead } from "../app/shell.tsx";
import { TextInput } from "../compare/text-input.tsx";
import { compare, type CompareInput, type ComparisonResult } from "../compare/compare.ts";
import { Comparison, type View } from "../compare/comparison.tsx";

const NARROW = "(max-width: 60rem)";

/** Compares two texts. */
export function Page() {
  const t = words().compare;
  const input = useInput();
  const place = useSignal<Place>("here");
  const view = useSignal<View>(matchMedia(NARROW).matches ? "unified" : "side");
  const job = useJob<ComparisonResult>();
  const run = () => void job.start((control) => compare(readInput(input), { place: place.value, control }));
  const state = job.state.value;
  useUnsaved("text", input.a.value !== "" || input.b.value !== "");
  return (
    <section class="page wide">
      <PageHead title={words().pages["text-compare"].title}>{t.lead}</PageHead>
      <form
        class="tool"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <div class="texts">
          <TextInput label={t.first} fileLabel={t.intoFirst} value={input.a} />
          <TextInput label={t.second} fileLabel={t.intoSecond} value={input.b} />
        </div>
        <Options
          input={input}
          place={place}
          onChange={() => state.is === "done" && place.value === "here" && run()}
        />
        <div class="actions">
          <button class="primary">{t.submit}</button>
        </div>
      </form>
      <JobView job={job} doing={t.busy} />
      {state.is === "done" && (
        <Comparison
          compared={state.result}
          isOld={isOther(readInput(input), state.result.input)}
          view={view}
        />
      )}
      <CurlCommand line={compareLine(readInput(input))}>
        Here the texts are two files, put into JSON by jq.
      </CurlCommand>
    </section>
  );
}

interface Input {
  readonly a: Signal<string>;
  readonly b: Signal<string>;
  readonly granularity: Signal<Granularity>;
  readonly ignoreCase: Signal<boolean>;
  readonly ignoreWhitespace: Signal<boolean>;
}

function useInput(): Input {
  return {
    a: useDraft("a", ""),
    b: useDraft("b", ""),
    granularity: useDraft<Granularity>("granularity", "line"),
    ignoreCase: useDraft("ignoreCase", false),
    ignoreWhitespace: useDraft("ignoreWhitespace", false),
  };
}

function readInput({ a, b, granularity, ignoreCase, ignoreWhitespace }: Input): CompareInput {
  return {
    a: a.value,
    b: b.value,
    granularity: granularity.value,
    ignoreCase: ignoreCase.value,
    ignoreWhitespace: ignoreWhitespace.value,
  };
}

const INPUTS = ["a", "b", "granularity", "ignoreCase", "ignoreWhitespace"] as const;

function isOther(input: CompareInput, other: CompareInput): boolean {
  return INPUTS.some((name) => input[name] !== other[name]);
}

function Options({ input, place, onChange }: { input: Input; place: Signal<Place>; onChange: () => void }) {
  const t = words().compare;
  return (
    <div class="fields" onChange={onChange}>
      <Choices label={t.by} value={input.granularity} choices={t.units} />
      <fieldset class="field">
        <legend>{t.ignore}</legend>
        <div class="checks">
          <Check label={t.ignoreCase} value={input.ignoreCase} />
          <Check label={t.ignoreSpace} value={input.ignoreWhitespace} />
        </div>
      </fieldset>
      <PlaceChoice place={place} />
    </div>
  );
}

function compareLine({ granularity, ignoreCase, ignoreWhitespace }: CompareInput): string {
  const options = `granularity: "${granularity}", ignoreCase: ${ignoreCase}, ignoreWhitespace: ${ignoreWhitespace}`;
  const filter = quoteForShell(`{a: $a, b: $b, ${options}}`);
  return `jq -n --rawfile a FIRST --rawfile b SECOND ${filter} | curl --json @- ${SERVER_URL}/api/tools/text-compare`;
}
