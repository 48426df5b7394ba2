import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { fill, words } from "../app/language/words.ts";

/** The state of an item in a sorted list, and whether another is about to be dropped on it. */
export type SortedItem = ReturnType<ReturnType<typeof useSorting>["itemAt"]>;

/** Sorts the items of a list by dragging, and by Alt with the arrow keys. */
export function useSorting({
  count,
  nameAt,
  keys,
  onMove,
}: {
  count: number;
  nameAt: (place: number) => string;
  /** The arrow keys that move an item to the front and to the back, pressed with Alt. */
  keys: readonly [back: string, forth: string];
  onMove: (from: number, to: number) => void;
}) {
  const announcement = useSignal("");
  const dragged = useRef<number | undefined>(undefined);
  const targetPlace = useSignal<number | undefined>(undefined);
  const focused = useRef<Element | null>(null);
  // Browsers take the focus away from an element that is moved in the document.
  useLayoutEffect(() => {
    const { current } = focused;
    focused.current = null;
    if (current instanceof HTMLElement && current !== document.activeElement) current.focus();
  });
  const move = (from: number, to: number) => {
    if (to < 0 || to >= count || to === from) return;
    focused.current = document.activeElement;
    announcement.value = fill(words().order.moved, { name: nameAt(from), number: to + 1, count });
    onMove(from, to);
  };
  const end = () => {
    dragged.current = undefined;
    targetPlace.value = undefined;
  };
  const itemAt = (place: number) => ({
    draggable: true,
    isTarget: targetPlace.value === place,
    onDragStart: ({ dataTransfer, target, currentTarget }: DragEvent) => {
      // Text that is selected in a field can be dragged too.
      if (target !== currentTarget) return;
      // Firefox starts no drag without data.
      dataTransfer?.setData("text/plain", "");
      dragged.current = place;
    },
    onDragOver: (event: DragEvent) => {
      if (dragged.current === undefined) return;
      event.preventDefault();
      targetPlace.value = place;
    },
    onDrop: () => {
      if (dragged.current !== undefined) move(dragged.current, place);
      end();
    },
    onDragEnd: end,
    onKeyDown: (event: KeyboardEvent) => {
      const step = event.altKey ? keys.indexOf(event.key) : -1;
      if (step < 0) return;
      event.preventDefault();
      move(place, place + (step === 0 ? -1 : 1));
    },
  });
  return { announcement, itemAt, move };
}
