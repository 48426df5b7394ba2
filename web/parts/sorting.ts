import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { fill, words } from "../app/language/words.ts";

/** An item in a sorted list: its place, whether another is about to be dropped on it, and what moves it. */
export type SortedItem = ReturnType<ReturnType<typeof useSorting>["itemAt"]>;

/** Sorts the items of a list by dragging, by Alt with the arrow keys, and with buttons. */
export function useSorting<Item>({
  items,
  nameOf,
  keys,
  onSort,
}: {
  items: readonly Item[];
  nameOf: (item: Item) => string;
  /** The arrow keys that move an item to the front and to the back, pressed with Alt. */
  keys: readonly [back: string, forth: string];
  /** With the place that one has moved to. */
  onSort: (items: readonly Item[], to: number) => void;
}) {
  const count = items.length;
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
    const moved = items.slice(from, from + 1);
    if (to < 0 || to >= count || to === from) return;
    focused.current = document.activeElement;
    announcement.value = fill(words().order.moved, { name: moved.map(nameOf).join(), number: to + 1, count });
    onSort(items.toSpliced(from, 1).toSpliced(to, 0, ...moved), to);
  };
  const end = () => {
    dragged.current = undefined;
    targetPlace.value = undefined;
  };
  const handlersAt = (place: number) => ({
    draggable: true,
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
  const itemAt = (place: number) => ({
    place,
    count,
    isTarget: targetPlace.value === place,
    handlers: handlersAt(place),
    step: (step: -1 | 1) => move(place, place + step),
  });
  return { announcement, itemAt };
}
