import { useSignal } from "@preact/signals";
import { formatCount, words } from "../app/language/words.ts";

/** Thousands at once would take seconds. */
const STEP = 100;

/** The first rows of a list of files, and a button that shows more of them. */
export function useRows<Item>(items: readonly Item[]) {
  const most = useSignal(STEP);
  const rest = items.length - most.value;
  return {
    rows: items.slice(0, most.value),
    /** Where a row has moved to, so that it stays in sight. */
    showUpTo: (place: number) => void (most.value = Math.max(most.value, place + 1)),
    more: rest > 0 && (
      <button type="button" class="small" onClick={() => (most.value += STEP)}>
        {`+ ${formatCount(rest, words().common.files)}`}
      </button>
    ),
  };
}
