import { useSignal, type Signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { fill, words } from "../app/language/words.ts";
import { Icon } from "../parts/icon.tsx";
import { PageZoom } from "./page-zoom.tsx";
import { addPage, writeRange } from "./range-text.ts";
import { Thumbnail } from "./thumbnail.tsx";
import type { Thumbnails } from "./thumbnails.ts";

const SHOWN_AT_FIRST = 60;

/** Thumbnails of all pages, to choose from: one by one, or with Shift all up to the last one clicked. */
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
  const anchor = useRef(1);
  const enlarged = useSignal<number | undefined>(undefined);
  const count = isAll.value ? pages.count : Math.min(pages.count, SHOWN_AT_FIRST);
  const set = new Set(chosen);
  const choose = (page: number, { shiftKey }: MouseEvent) => {
    const isAdding = shiftKey ? set.has(anchor.current) : !set.has(page);
    const meant = shiftKey ? between(anchor.current, page) : [page];
    if (!shiftKey) anchor.current = page;
    range.value = writeRange(
      isAdding ? addAll(chosen, meant) : chosen.filter((each) => !meant.includes(each)),
    );
  };
  return (
    <>
      <p class="hint">{t.clickHint}</p>
      <div class="actions">
        <button type="button" class="small" onClick={() => (enlarged.value = anchor.current)}>
          <Icon name="search" size={18} />
          {t.enlargeAll}
        </button>
      </div>
      {enlarged.value !== undefined && (
        <PageZoom pages={pages} first={enlarged.value} onClose={() => (enlarged.value = undefined)} />
      )}
      <ol class="pages" aria-label={t.label}>
        {Array.from({ length: count }, (_, i) => i + 1).map((page) => (
          <li key={page}>
            <button
              type="button"
              class="sheet"
              aria-pressed={set.has(page)}
              aria-label={fill(t.page, { page })}
              onClick={(event) => choose(page, event)}
            >
              <Thumbnail pages={pages} page={page} degrees={set.size === 0 || set.has(page) ? degrees : 0} />
              <span>{page}</span>
            </button>
            {/* One button for all pages is enough for the Tab key. */}
            <button
              type="button"
              class="enlarge icon-only small"
              tabIndex={-1}
              aria-label={fill(t.enlarge, { page })}
              title={fill(t.enlarge, { page })}
              onClick={() => (enlarged.value = page)}
            >
              <Icon name="search" size={18} />
            </button>
          </li>
        ))}
      </ol>
      {count < pages.count && (
        <button type="button" class="small" onClick={() => (isAll.value = true)}>
          {fill(t.showAll, { count: pages.count })}
        </button>
      )}
    </>
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
