import type { Signal } from "@preact/signals";
import { fill, words } from "../app/language/words.ts";
import { PartButton } from "../parts/buttons.tsx";
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
  const nameAt = (place: number) => fill(t.range.page, { page: chosen[place] ?? "" });
  const { announcement, itemAt, move } = useSorting({
    count: chosen.length,
    nameAt,
    keys: isMirrored ? ["ArrowRight", "ArrowLeft"] : ["ArrowLeft", "ArrowRight"],
    onMove: (from, to) => {
      range.value = writeRange(chosen.toSpliced(from, 1).toSpliced(to, 0, ...chosen.slice(from, from + 1)));
    },
  });
  if (chosen.length > MAX_SORTABLE_PAGES) return null;
  return (
    <>
      <p class="hint">{t.range.orderHint}</p>
      <ol class="order" aria-label={t.range.order}>
        {keysOf(chosen).map((key, i) => {
          const { isTarget, ...handlers } = itemAt(i);
          const name = nameAt(i);
          return (
            <li key={key} {...handlers} class={isTarget ? "target" : undefined}>
              <Thumbnail pages={pages} page={chosen[i] ?? 1} />
              <span class="order-keys">
                <PartButton
                  icon="up"
                  label={fill(t.order.up, { name })}
                  isOff={i === 0}
                  onClick={() => move(i, i - 1)}
                />
                {chosen[i]}
                <PartButton
                  icon="down"
                  label={fill(t.order.down, { name })}
                  isOff={i === chosen.length - 1}
                  onClick={() => move(i, i + 1)}
                />
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
function keysOf(chosen: readonly number[]): string[] {
  const seen = new Map<number, number>();
  return chosen.map((page) => {
    const times = (seen.get(page) ?? 0) + 1;
    seen.set(page, times);
    return `${page} ${times}`;
  });
}
