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
function leftFocus(): Element | undefined {
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

/** Everything around what has the focus, from the inside, and which part of each it is in. */
let around: readonly { readonly element: Element; readonly place: number }[] = [];

/**
 * Keeps the focus near where it was when what had it goes away: on the row of a list or the one that has taken its
 * place, on a button beside, or on the heading of what is left. Otherwise a browser has it nowhere, and whoever uses a
 * keyboard or a screen reader begins again at the top.
 */
export function startFocusKeeper(): void {
  followFocus();
  document.addEventListener("focusin", ({ target }) => {
    around = target instanceof Element ? listAround(target) : [];
  });
  new MutationObserver((changes) => {
    const left = leftFocus();
    if (!left) return;
    if (!left.isConnected) focusOn(findPlace());
    else if (changes.some(({ removedNodes }) => [...removedNodes].some((node) => node.contains(left))))
      // Moved in the document, which takes the focus away too.
      focusOn(left);
  }).observe(document.body, { childList: true, subtree: true });
}

function listAround(inner: Element): typeof around {
  const element = inner.parentElement;
  if (!element) return [];
  return [{ element, place: [...element.children].indexOf(inner) }, ...listAround(element)];
}

const LISTS = "ul, ol, tbody";
/** Buttons that belong together: the one that is left is next. */
const BUTTONS = ".bar, .actions";

function findPlace(): Element | null | undefined {
  for (const { element, place } of around) {
    if (!element.isConnected) continue;
    const row = element.matches(LISTS) && element.children[Math.min(place, element.children.length - 1)];
    if (row) return row;
    if (element.localName === "li") return element;
    const beside = element.matches(BUTTONS) && element.querySelector("button:enabled");
    const heading = element.querySelector("h1, h2");
    // A page that is loading has none yet.
    if (beside || heading || element.localName === "main") return beside || heading;
  }
  return undefined;
}

function focusOn(place: Element | null | undefined): void {
  if (!(place instanceof HTMLElement)) return;
  if (place.tabIndex < 0) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

/** Has Ctrl+Enter, or Cmd+Enter, do the main thing of a page from wherever the focus is. */
export function startMainAction(): void {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    const button = formFor(event.target)?.querySelector<HTMLButtonElement>("button:not([type])");
    if (!button) return;
    // In a field of one line the browser would send the form as well.
    event.preventDefault();
    if (!event.repeat) button.click();
  });
}

/** The form around the focus, or else the only one of the page. */
function formFor(target: EventTarget | null): Element | null | undefined {
  // A question is answered with its own buttons.
  if (!(target instanceof Element) || target.closest("dialog")) return undefined;
  const forms = document.querySelectorAll("main form");
  return target.closest("form") ?? (forms.length === 1 ? forms[0] : undefined);
}
