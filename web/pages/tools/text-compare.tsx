import "../../style/tools.css";
import { computed, useComputed, useSignal, type Signal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { SERVER_URL } from "../../app/paths/base.ts";
import type { Granularity, IgnoredWhitespace } from "../../../tools/text-compare.ts";
import { CurlCommand } from "../../parts/copy.tsx";
import { Check, Choices, NumberField } from "../../parts/field.tsx";
import { useJob } from "../../parts/job.tsx";
import { ActionBar, PlaceChoice, type ToolMachine } from "../../files/action-bar.tsx";
import { askAbout } from "../../files/arriving.ts";
import { Refused, Unfit } from "../../files/refused.tsx";
import { useIncoming, type UnfitFile } from "../../files/incoming.ts";
import { quoteForShell } from "../../app/curl.ts";
import { entriesOf } from "../../app/entries.ts";
import { useDraft, useKept } from "../../app/paths/history.ts";
import { words } from "../../app/language/words.ts";
import { PageHead } from "../../app/shell.tsx";
import { readText, TextInput } from "../../compare/text-input.tsx";
import { compare, type CompareInput, type ComparisonResult } from "../../compare/compare.ts";
import { Comparison, type View } from "../../compare/comparison.tsx";

const DEFAULT_CONTEXT = 3;
const MAX_CONTEXT = 100;
const NARROW = "(max-width: 60rem)";

/** Compares two texts. */
export function Page() {
  const t = words().compare;
  const input = useInput();
  const place = useSignal<ToolMachine>("here");
  const view = useSignal<View>(matchMedia(NARROW).matches ? "unified" : "side");
  const job = useJob<ComparisonResult>();
  const takesFocus = useRef(false);
  const incoming = useIncoming({
    kind: "text",
    isMultiple: true,
    onFiles: (files) => void takeTexts(files, input).then(tell),
  });
  const tell = ({ others, unfit }: Awaited<ReturnType<typeof takeTexts>>) => {
    const { refused } = incoming;
    refused.value = { ...refused.value, others: [...refused.value.others, ...others], unfit };
  };
  const run = () => void job.start((control) => compare(readInput(input), place.value, control));
  const state = job.state.value;
  // Depends on the texts only: a key in one of them redraws nothing else, not even the lines of a result.
  useKept(useComputed(() => input.a.value !== "" || input.b.value !== "").value);
  return (
    <section class="page wide">
      <PageHead title={words().pages["text-compare"].title}>{t.lead}</PageHead>
      <form
        class="tool"
        onSubmit={() => {
          takesFocus.current = true;
          run();
        }}
      >
        <div class="texts">
          <TextInput label={t.first} fileLabel={t.intoFirst} value={input.a} />
          <TextInput label={t.second} fileLabel={t.intoSecond} value={input.b} />
        </div>
        <Refused incoming={incoming} />
        <Unfit unfit={incoming.refused.value.unfit} />
        <OptionFields
          input={input}
          place={place}
          onChange={() => {
            takesFocus.current = false;
            if (state.is === "done" && place.value === "here") run();
          }}
        />
        <ActionBar job={job} action={t.submit} doing={t.busy} />
      </form>
      {state.is === "done" && (
        <Compared result={state.result} input={input} view={view} takesFocus={takesFocus.current} />
      )}
      <CurlCommand line={compareLine(readOptions(input))}>{t.command}</CurlCommand>
    </section>
  );
}

function Compared(props: {
  result: ComparisonResult;
  input: Input;
  view: Signal<View>;
  takesFocus: boolean;
}) {
  const { result, input, view, takesFocus } = props;
  const isOld = useMemo(() => computed(() => isOther(readInput(input), result.input)), [result]);
  return <Comparison compared={result} isOld={isOld.value} view={view} takesFocus={takesFocus} />;
}

/**
 * Puts files that were dropped on the page into the texts that are empty; replaces nothing. Answers those that are not
 * text, and those that cannot be read.
 */
async function takeTexts(files: readonly File[], { a, b }: Input) {
  const empty = [a, b].filter(({ value }) => value === "");
  const others: File[] = [];
  const unfit: UnfitFile[] = [];
  for (const [i, file] of files.entries()) {
    const [place] = empty;
    if (!place) {
      askAbout({ files: files.slice(i), folders: [] });
      break;
    }
    try {
      const text = await readText(file);
      if (text === undefined) others.push(file);
      else {
        place.value = text;
        empty.shift();
      }
    } catch {
      unfit.push({ file, failure: { code: "unreadable", fields: {} } });
    }
  }
  return { others, unfit };
}

type Input = ReturnType<typeof useInput>;

function useInput() {
  return {
    a: useDraft("a", ""),
    b: useDraft("b", ""),
    granularity: useDraft<Granularity>("granularity", "line"),
    ignoreCase: useDraft("ignoreCase", false),
    ignoreWhitespace: useDraft<IgnoredWhitespace>("ignoreWhitespace", "none"),
    ignoreBlankLines: useDraft("ignoreBlankLines", false),
    moved: useDraft("moved", false),
    context: useDraft("context", String(DEFAULT_CONTEXT)),
  };
}

function readInput(input: Input): CompareInput {
  return { a: input.a.value, b: input.b.value, ...readOptions(input) };
}

type Options = Omit<CompareInput, "a" | "b">;

function readOptions({ granularity, ignoreCase, ignoreWhitespace, ...byLine }: Input): Options {
  const isByLine = granularity.value === "line";
  const { ignoreBlankLines, moved, context } = byLine;
  return {
    granularity: granularity.value,
    ignoreCase: ignoreCase.value,
    ignoreWhitespace: ignoreWhitespace.value,
    ignoreBlankLines: isByLine && ignoreBlankLines.value,
    moved: isByLine && moved.value,
    context: isByLine && context.value !== "" ? Number(context.value) : DEFAULT_CONTEXT,
  };
}

function isOther(input: CompareInput, other: CompareInput): boolean {
  return entriesOf(input).some(([name, value]) => value !== other[name]);
}

function OptionFields({
  input,
  place,
  onChange,
}: {
  input: Input;
  place: Signal<ToolMachine>;
  onChange: () => void;
}) {
  const t = words().compare;
  const isByLine = input.granularity.value === "line";
  return (
    <div class="options" onChange={onChange}>
      <Choices label={t.by} value={input.granularity} choices={t.units} />
      <Choices label={t.whitespace} value={input.ignoreWhitespace} choices={t.whitespaces} />
      <fieldset class="field">
        <legend>{t.ignore}</legend>
        <div class="checks">
          <Check label={t.ignoreCase} value={input.ignoreCase} />
          {isByLine && <Check label={t.ignoreBlankLines} value={input.ignoreBlankLines} />}
        </div>
      </fieldset>
      {isByLine && <Check label={t.markMoved} value={input.moved} />}
      {isByLine && (
        <NumberField
          label={words().compare.context}
          value={input.context}
          minimum={0}
          maximum={MAX_CONTEXT}
        />
      )}
      <PlaceChoice place={place} />
    </div>
  );
}

function compareLine(options: Options): string {
  const fields = Object.entries(options).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  const filter = quoteForShell(`{a: $a, b: $b, ${fields.join(", ")}}`);
  return `jq -n --rawfile a FIRST --rawfile b SECOND ${filter} | curl --json @- ${SERVER_URL}/api/tools/text-compare`;
}
