import { useComputed, useSignal, type ReadonlySignal, type Signal } from "@preact/signals";
import { useCallback, useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { fill, words } from "../app/language/words.ts";
import { Icon } from "../parts/icon.tsx";
import { PageZoom } from "./page-zoom.tsx";
import { addPage, writeRange } from "./range-text.ts";
import { Thumbnail, type Thumbnails } from "./thumbnails.tsx";

/** Drawn at first, and then at a time, so that the page stays responsive in between. */
const SHOWN_AT_ONCE = 60;

interface Choice {
  readonly chosen: readonly number[];
  readonly set: ReadonlySet<number>;
  /** How far the chosen pages are shown turned; all pages where none is chosen. */
  readonly degrees: number;
}

/** Thumbnails of all pages to choose from: one by one, or with Shift all up to the last one clicked. */
export function PageGrid({
  pages,
  chosen,
  range,
  degrees = 0,
}: {
  pages: Thumbnails;
  chosen: readonly number[];
  range: Signal<string>;
  degrees: number | undefined;
}) {
  const t = words().range;
  const isAll = useSignal(false);
  const count = useSignal(Math.min(pages.count, SHOWN_AT_ONCE));
  const anchor = useRef(1);
  const enlarged = useSignal<number | undefined>(undefined);
  // Read by each thumbnail, so that only those that change are drawn again.
  const choice = useSignal<Choice>({ chosen, set: new Set(chosen), degrees });
  useLayoutEffect(() => {
    choice.value = { chosen, set: new Set(chosen), degrees };
  }, [chosen, degrees]);
  useEffect(() => {
    if (!isAll.value || count.value >= pages.count) return undefined;
    const timer = setTimeout(() => (count.value = Math.min(pages.count, count.value + SHOWN_AT_ONCE)));
    return () => clearTimeout(timer);
  }, [isAll.value, count.value]);
  const choose = useCallback(
    (page: number, isMore: boolean) => {
      const { chosen: now, set } = choice.value;
      const isAdding = isMore ? set.has(anchor.current) : !set.has(page);
      const meant = isMore ? between(anchor.current, page) : [page];
      if (!isMore) anchor.current = page;
      range.value = writeRange(isAdding ? addAll(now, meant) : now.filter((each) => !meant.includes(each)));
    },
    [range],
  );
  return (
    <>
      <div class="actions">
        <p class="hint">{t.clickHint}</p>
        <button type="button" class="small" onClick={() => (enlarged.value = anchor.current)}>
          <Icon name="search" size={18} />
          {t.enlargeAll}
        </button>
      </div>
      {enlarged.value !== undefined && (
        <PageZoom pages={pages} first={enlarged.value} onClose={() => (enlarged.value = undefined)} />
      )}
      <ol class="pages" aria-label={t.label}>
        {Array.from({ length: count.value }, (_, i) => i + 1).map((page) => (
          <Sheet key={page} pages={pages} page={page} choice={choice} enlarged={enlarged} onChoose={choose} />
        ))}
      </ol>
      {!isAll.value && count.value < pages.count && (
        <button type="button" class="small" onClick={() => (isAll.value = true)}>
          {fill(t.showAll, { count: pages.count })}
        </button>
      )}
    </>
  );
}

function Sheet({
  pages,
  page,
  choice,
  enlarged,
  onChoose,
}: {
  pages: Thumbnails;
  page: number;
  choice: ReadonlySignal<Choice>;
  enlarged: Signal<number | undefined>;
  onChoose: (page: number, isMore: boolean) => void;
}) {
  const t = words().range;
  const isChosen = useComputed(() => choice.value.set.has(page)).value;
  const degrees = useComputed(() => {
    const { set, degrees: turn } = choice.value;
    return set.size === 0 || set.has(page) ? turn : 0;
  }).value;
  const enlarge = fill(t.enlarge, { page });
  return (
    <li>
      <button
        type="button"
        class="sheet"
        aria-pressed={isChosen}
        aria-label={fill(t.page, { page })}
        onClick={({ shiftKey }) => onChoose(page, shiftKey)}
      >
        <Thumbnail pages={pages} page={page} degrees={degrees} />
        <span>{page}</span>
      </button>
      {/* One button for all pages is enough for the Tab key. */}
      <button
        type="button"
        class="enlarge icon-only small"
        tabIndex={-1}
        aria-label={enlarge}
        title={enlarge}
        onClick={() => (enlarged.value = page)}
      >
        <Icon name="search" size={18} />
      </button>
    </li>
  );
}

function between(one: number, other: number): number[] {
  const first = Math.min(one, other);
  return Array.from({ length: Math.abs(one - other) + 1 }, (_, i) => first + i);
}

function addAll(chosen: readonly number[], pages: readonly number[]): readonly number[] {
  return pages
    .filter((page) => !chosen.includes(page))
    .reduce<readonly number[]>((all, page) => addPage(all, page), chosen);
}
