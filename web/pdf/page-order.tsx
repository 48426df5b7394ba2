import type { Signal } from "@preact/signals";
import { fill, words } from "../app/language/words.ts";
import { StepButtons } from "../parts/buttons.tsx";
import { writeRange } from "./range-text.ts";
import { useSorting } from "../parts/sorting.ts";
import { Thumbnail, type Thumbnails } from "./thumbnails.tsx";

/** With more pages than this, only the text field is offered. */
const MAX_SORTABLE_PAGES = 60;

/** The chosen pages in the order of the result, sorted by dragging, with buttons, or with Alt and the arrow keys. */
export function PageOrder({
  pages,
  chosen,
  range,
}: {
  pages: Thumbnails;
  chosen: readonly number[];
  range: Signal<string>;
}) {
  const t = words();
  const isMirrored = document.documentElement.dir === "rtl";
  const nameOf = (page: number) => fill(t.range.page, { page });
  const { announcement, itemAt } = useSorting({
    items: chosen,
    nameOf,
    keys: isMirrored ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"],
    onSort: (sorted) => (range.value = writeRange(sorted)),
  });
  if (chosen.length > MAX_SORTABLE_PAGES) return null;
  return (
    <>
      <p class="hint">{t.range.orderHint}</p>
      <ol class="order" aria-label={t.range.order}>
        {keysOf(chosen).map(({ page, key }, i) => {
          const item = itemAt(i);
          return (
            <li key={key} {...item.handlers} class={item.isTarget ? "target" : undefined}>
              <Thumbnail pages={pages} page={page} />
              <span class="order-keys">
                <StepButtons item={item} name={nameOf(page)}>
                  {page}
                </StepButtons>
              </span>
            </li>
          );
        })}
      </ol>
      <p class="unseen" role="status">
        {announcement.value}
      </p>
    </>
  );
}

/** A page that occurs twice has two keys. */
function keysOf(chosen: readonly number[]): { page: number; key: string }[] {
  const seen = new Map<number, number>();
  return chosen.map((page) => {
    const times = (seen.get(page) ?? 0) + 1;
    seen.set(page, times);
    return { page, key: `${page} ${times}` };
  });
}
