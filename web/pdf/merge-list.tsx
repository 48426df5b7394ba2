import type { Signal } from "@preact/signals";
import { words } from "../app/language/words.ts";
import { MergeItem, type MergePart } from "./merge-item.tsx";
import { useSorting } from "../parts/sorting.ts";

/** A list of files that is sorted by dragging, with buttons, or with Alt and the arrow keys. */
export function MergeList({
  list,
  faulty,
}: {
  list: Signal<readonly MergePart[]>;
  /** The file that a failure named. */
  faulty: { index: number; code: string } | undefined;
}) {
  const parts = list.value;
  const { announcement, itemAt, move } = useSorting({
    count: parts.length,
    nameAt: (place) => parts[place]?.file.name ?? "",
    keys: ["ArrowUp", "ArrowDown"],
    onMove: (from, to) => {
      list.value = parts.toSpliced(from, 1).toSpliced(to, 0, ...parts.slice(from, from + 1));
    },
  });
  const change = (id: number, changes: Partial<MergePart>) => {
    list.value = list.peek().map((part) => (part.id === id ? { ...part, ...changes } : part));
  };
  return (
    <>
      <ol class="merge">
        {parts.map((part, i) => (
          <MergeItem
            key={part.id}
            part={part}
            place={{ i, count: parts.length }}
            sorting={itemAt(i)}
            fault={faulty?.index === i ? faulty.code : undefined}
            onStep={(step) => move(i, i + step)}
            onChange={(changes) => change(part.id, changes)}
            onRemove={() => (list.value = parts.toSpliced(i, 1))}
          />
        ))}
      </ol>
      {parts.length > 1 && <p class="hint">{words().pdf.merge.hint}</p>}
      <p class="unseen" role="status">
        {announcement.value}
      </p>
    </>
  );
}
