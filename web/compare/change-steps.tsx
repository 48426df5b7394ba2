import { useSignal, type Signal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { hasKeyboard } from "../app/browser.ts";
import { fill, words } from "../app/language/words.ts";
import { changeStarts } from "./diff-lines.ts";
import { PartButton } from "../parts/buttons.tsx";

const STEPS: Readonly<Record<string, 1 | -1>> = { n: 1, p: -1 };

/** How many lines are shown from a change on that was hidden before. */
const REACHED = 200;

/** Props for the element of a change that one can step to. */
export interface StepProps {
  readonly "data-change"?: number;
  readonly tabIndex?: number;
  readonly "aria-current"?: true;
}

type Changes = ReturnType<typeof useChanges>;

/** The changes among lines, given whether each line is equal. With another `result`, stepping starts again. */
export function useChanges(
  areEqual: readonly boolean[],
  result: readonly unknown[],
  shownCount: Signal<number>,
) {
  // The index of the current change; -1 before the first.
  const current = useSignal(-1);
  const starts = useMemo(() => changeStarts(areEqual), [areEqual]);
  const changeAt = useMemo(() => new Map(starts.map((place, change) => [place, change])), [starts]);
  useLayoutEffect(() => {
    current.value = -1;
  }, [result]);
  return {
    count: starts.length,
    current,
    /** Makes a change visible. */
    reach(change: number) {
      shownCount.value = Math.max(shownCount.peek(), (starts[change] ?? 0) + REACHED);
      current.value = change;
    },
    stepAt(place: number): StepProps {
      const change = changeAt.get(place);
      if (change === undefined) return {};
      const isCurrent = change === current.value;
      return { "data-change": change, tabIndex: -1, ...(isCurrent && { "aria-current": true }) };
    },
  };
}

/** Shows all lines while the page is printed; preact draws them before the browser lays the page out again. */
export function useAllInPrint(shownCount: Signal<number>): void {
  const before = useRef(0);
  useEffect(() => {
    const ending = new AbortController();
    const showAll = () => {
      before.current = shownCount.peek();
      shownCount.value = Infinity;
    };
    addEventListener("beforeprint", showAll, ending);
    addEventListener("afterprint", () => (shownCount.value = before.current), ending);
    return () => ending.abort();
  }, []);
}

/** Steps from change to change, with buttons, and with the keys n and p while the focus is in the result. */
export function ChangeSteps({
  changes: { count, current, reach },
  diff,
}: {
  changes: Changes;
  /** The element that contains the changes. */
  diff: RefObject<HTMLElement | null>;
}) {
  const t = words().compare;
  const own = useRef<HTMLDivElement>(null);
  const takesFocus = useRef(false);
  const number = current.value + 1;
  const go = (step: 1 | -1, byKey: boolean) => {
    takesFocus.current = byKey;
    reach(Math.min(count - 1, Math.max(0, current.peek() + step)));
  };
  useEffect(() => {
    const reached = diff.current?.querySelector<HTMLElement>(`[data-change="${current.value}"]`);
    reached?.scrollIntoView({ block: "center" });
    if (takesFocus.current) reached?.focus({ preventScroll: true });
  }, [current.value]);
  useEffect(() => {
    const section = own.current?.closest("section");
    const onKey = (event: KeyboardEvent) => {
      const step = STEPS[event.key];
      const isTyping = event.target instanceof Element && event.target.matches("input, textarea, select");
      if (!step || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      go(step, true);
    };
    section?.addEventListener("keydown", onKey);
    return () => section?.removeEventListener("keydown", onKey);
  }, [count]);
  if (count === 0) return null;
  return (
    <div ref={own} class="actions">
      <PartButton icon="up" label={t.previousChange} isOff={number <= 1} onClick={() => go(-1, false)} />
      <PartButton icon="down" label={t.nextChange} isOff={number === count} onClick={() => go(1, false)} />
      <p class="hint" role="status">
        {number === 0 ? hasKeyboard() && t.stepHint : fill(t.changeOf, { number, count })}
      </p>
    </div>
  );
}
