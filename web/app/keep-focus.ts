import { followFocus, leftFocus } from "./lost-focus.ts";

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
