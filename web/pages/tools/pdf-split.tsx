import "../../style/tools.css";
import type { Signal } from "@preact/signals";
import type { SplitMode } from "../../../tools/pdf-split.ts";
import { useDraft } from "../../app/paths/history.ts";
import { server } from "../../api/server.ts";
import { formatNumber } from "../../app/language/format.ts";
import { fill, formatCount, words } from "../../app/language/words.ts";
import { Choices, NumberField } from "../../parts/field.tsx";
import { FailureNote } from "../../parts/job.tsx";
import { Status } from "../../parts/note.tsx";
import { PageRangeField, PageStage } from "../../pdf/page-range.tsx";
import { countParts, isLocked, wantsPassword, type PdfFacts } from "../../pdf/pdf-facts.ts";
import { usePdfInput, PdfTool } from "../../pdf/pdf-tool.tsx";
import { readChosen } from "../../pdf/range-text.ts";
import { runHere } from "../../work/run.ts";

/** The unit in which people think of file sizes. */
const MEGABYTE = 1_000_000;

/** Splits a PDF. */
export function Page() {
  const t = words().pdf.split;
  const input = usePdfInput(countParts);
  const { pages, byBookmarks, failure } = input.facts;
  const chosenMode = useDraft<SplitMode>("mode", "keep");
  const range = useDraft("range", "");
  const count = useDraft("count", "2");
  const megabytes = useDraft("megabytes", "10");
  // A choice for one document may not exist for another.
  const mode = chosenMode.value === "bookmarks" && byBookmarks === 0 ? "keep" : chosenMode.value;
  const isDrop = mode === "drop";
  const hasRange = mode === "keep" || isDrop;
  const options = {
    mode,
    range: (hasRange && range.value.trim()) || undefined,
    count: mode === "every" ? Number(count.value) : undefined,
    bytes: mode === "size" ? Math.floor(Number(megabytes.value) * MEGABYTE) : undefined,
    password: input.password.value || undefined,
  };
  const isRead = readChosen(range.value, pages, { isDrop }).error === undefined;
  const isSet = hasRange ? options.range !== undefined && isRead : options.count !== 0 && options.bytes !== 0;
  return (
    <PdfTool
      name="split"
      input={input}
      isSingle
      isReady={isSet && isKnown(input.facts)}
      options={options}
      here={(args, control) => runHere("splitPdf", args, control)}
      onServer={server.tools.pdfSplit.mutate}
      facts={factsOf}
      curl={{
        query: {
          mode,
          range: options.range,
          count: options.count?.toString(),
          bytes: options.bytes?.toString(),
        },
        output: hasRange ? "pages.pdf" : "pages.zip",
      }}
      stage={
        hasRange && isKnown(input.facts) ? (
          <PageStage input={input} range={range} isOrdered={!isDrop} isDrop={isDrop} />
        ) : undefined
      }
    >
      {!isLocked(input.facts) && (
        <>
          <Ways facts={input.facts} mode={mode} chosen={chosenMode} count={options.count} />
          {/* The work says it too. */}
          {failure && input.job.state.value.is !== "failed" && <FailureNote failure={failure} />}
          {mode === "every" && <NumberField label={t.count} value={count} minimum={1} />}
          {mode === "size" && <NumberField label={t.megabytes} value={megabytes} minimum={1} />}
          {hasRange && isKnown(input.facts) && (
            <PageRangeField input={input} range={range} label={isDrop ? t.drop : t.keep} isDrop={isDrop} />
          )}
        </>
      )}
    </PdfTool>
  );
}

/** Whether it is known what a document can be split by, or that this is unknown before the work. */
function isKnown(facts: PdfFacts): boolean {
  return facts.pages !== undefined || (facts.failure !== undefined && !wantsPassword(facts));
}

/** The ways to split a document, once they are known, and how many files the chosen one makes. */
function Ways({
  facts,
  mode,
  chosen,
  count,
}: {
  facts: PdfFacts;
  mode: SplitMode;
  chosen: Signal<SplitMode>;
  count: number | undefined;
}) {
  const t = words().pdf.split;
  const { each, every, bookmarks, ...others } = t.modes;
  const byBookmarks = facts.byBookmarks === 0 ? {} : { bookmarks };
  const value = {
    get value() {
      return mode;
    },
    set value(next) {
      chosen.value = next;
    },
  };
  return (
    <Choices
      label={t.mode}
      value={value}
      choices={{ each, every, ...byBookmarks, ...others }}
      isOff={!isKnown(facts)}
      hint={<Status isInline>{isKnown(facts) ? outlook(facts, mode, count) : t.reading}</Status>}
    />
  );
}

/** How many files it becomes, or how many pages there are to choose from. */
function outlook({ pages, byBookmarks }: PdfFacts, mode: SplitMode, count: number | undefined): string {
  const { common, errors } = words();
  const parts = { each: pages, bookmarks: byBookmarks, every: pages && count && Math.ceil(pages / count) };
  const files = mode === "each" || mode === "bookmarks" || mode === "every" ? parts[mode] : undefined;
  const size = files ? formatCount(files, common.files) : pages ? formatCount(pages, common.pages) : "";
  return byBookmarks === 0 ? `${size} · ${errors.no_bookmarks}` : size;
}

interface Facts {
  readonly pages: number;
  readonly parts?: number | undefined;
  readonly kept?: number | undefined;
}

function factsOf({ pages, parts, kept }: Facts) {
  const { common, pdf } = words();
  const t = pdf.split;
  return parts === undefined
    ? { [t.kept]: fill(t.keptOf, { kept: kept ?? pages, pages: formatCount(pages, common.pages) }) }
    : { [t.files]: formatNumber(parts) };
}
