import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

let last: Element | undefined;

/** Remembers what has the focus, so that what takes its place can take the focus too. */
export function followFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    last = target instanceof Element ? target : undefined;
  });
  document.addEventListener("focusout", ({ target }) =>
    // After all changes of the page: only somebody who clicks beside everything leaves what is still there.
    setTimeout(() => {
      if (last === target && last?.isConnected && isNowhere()) last = undefined;
    }),
  );
}

/** What had the focus, where nothing has it now. */
export function leftFocus(): Element | undefined {
  return isNowhere() ? last : undefined;
}

/** Whether what had the focus has gone, and nothing has it now. */
export function hasLostFocus(): boolean {
  return leftFocus()?.isConnected === false;
}

/** Has an element take the focus when it appears, or `again` changes, in place of what had it. */
export function useLostFocus(
  element: RefObject<HTMLElement | null>,
  { when = hasLostFocus, again }: { when?: () => boolean; again?: unknown } = {},
): void {
  useLayoutEffect(() => {
    if (!when()) return;
    element.current?.focus({ preventScroll: true });
    element.current?.scrollIntoView({ block: "nearest" });
  }, [again]);
}

/** Whether nothing has the focus. */
export function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}
