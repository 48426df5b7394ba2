import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { listPages, readPageRange } from "../../tools/page-range.ts";
import { formatFailure } from "../api/format-failure.ts";
import { fill, words } from "../app/words.ts";
import { describeError } from "../api/failure.ts";
import { openThumbnails, type Thumbnails } from "./thumbnails.ts";
import type { PdfInput } from "./pdf-input.ts";
import { TextField } from "../parts/field.tsx";
import { Thumbnail } from "./thumbnail.tsx";

interface PageRangeProps {
  readonly input: PdfInput;
  readonly range: Signal<string>;
  readonly label: string;
  /** The meaning of an empty range, if it may be empty. */
  readonly empty?: string;
}

const SHOWN_AT_FIRST = 60;

/** Pages chosen by typing a range or by clicking thumbnails; each updates the other. */
export function PageRange({ input, range, label, empty }: PageRangeProps) {
  const [file, password] = [input.file.value, input.password.value];
  const pages = useSignal<Thumbnails | undefined>(undefined);
  useEffect(() => {
    if (!file) return undefined;
    let isCurrent = true;
    // A PDF that cannot be drawn can still be processed, without thumbnails.
    const opening = openThumbnails(file, password).catch(() => undefined);
    void opening.then((opened) => {
      if (isCurrent) pages.value = opened;
    });
    return () => {
      isCurrent = false;
      pages.value = undefined;
      void opening.then((opened) => opened?.close());
    };
  }, [file, password]);
  const read = readFor(range.value, pages.value?.count);
  return (
    <div class="field">
      <TextField
        label={label}
        value={range}
        isCode
        placeholder={empty ?? words().range.placeholder}
        isInvalid={read.error !== undefined}
        hint={read.error ?? words().range.hint}
      />
      {pages.value && <Pictures pages={pages.value} chosen={read.chosen} range={range} />}
    </div>
  );
}

interface Read {
  readonly chosen: readonly number[];
  readonly error?: string;
}

function readFor(text: string, count: number | undefined): Read {
  try {
    const range = readPageRange(text);
    return { chosen: range && count ? listPages(range, count) : [] };
  } catch (error) {
    return { chosen: [], error: formatFailure(describeError(error)) };
  }
}

interface PicturesProps {
  readonly pages: Thumbnails;
  readonly chosen: readonly number[];
  readonly range: Signal<string>;
}

function Pictures({ pages, chosen, range }: PicturesProps) {
  const isAll = useSignal(false);
  const count = isAll.value ? pages.count : Math.min(pages.count, SHOWN_AT_FIRST);
  const toggle = (page: number) => {
    const next = chosen.includes(page) ? chosen.filter((each) => each !== page) : [...chosen, page];
    range.value = writeRange(next);
  };
  return (
    <>
      <ol class="pages" aria-label={words().range.label}>
        {Array.from({ length: count }, (_, i) => i + 1).map((page) => (
          <li key={page}>
            <Thumbnail
              pages={pages}
              page={page}
              isChosen={chosen.includes(page)}
              onToggle={() => toggle(page)}
            />
          </li>
        ))}
      </ol>
      {count < pages.count && (
        <button type="button" class="small" onClick={() => (isAll.value = true)}>
          {fill(words().range.showAll, { count: pages.count })}
        </button>
      )}
    </>
  );
}

/** Page numbers as a range: 1 2 3 7 is `1-3,7`. */
function writeRange(pages: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const page of [...pages].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && page === last[1] + 1) last[1] = page;
    else runs.push([page, page]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(",");
}
