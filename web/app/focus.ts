import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

let last: Element | undefined;

/** Remembers what has the focus, so that its replacement can take it. */
export function followFocus(): void {
  document.addEventListener("focusin", ({ target }) => {
    last = target instanceof Element ? target : undefined;
  });
  document.addEventListener("focusout", ({ target }) =>
    // After all changes of the page: only a click beside everything leaves an element that still exists.
    setTimeout(() => {
      if (last === target && last?.isConnected && isNowhere()) last = undefined;
    }),
  );
}

/** The element that had the focus, where nothing has it now. */
function leftFocus(): Element | undefined {
  return isNowhere() ? last : undefined;
}

/** Whether the element that had the focus is gone, and nothing has it now. */
export function hasLostFocus(): boolean {
  return leftFocus()?.isConnected === false;
}

/** Gives an element the focus when it appears, or when `again` changes, in place of the one that had it. */
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

/** Everything around the focused element, from the inside, and its position in each. */
let around: readonly { readonly element: Element; readonly place: number }[] = [];

/** What scrolls sideways where it does not fit. */
const ROWS = ".strip, .pages, .order";

/**
 * Keeps the focus nearby when its element goes away: on the row of a list or its replacement, on a button beside it, or
 * on the heading of what is left. Otherwise nothing has it, and users of a keyboard or a screen reader start again at
 * the top.
 */
export function startFocusKeeper(): void {
  followFocus();
  document.addEventListener("focusin", ({ target }) => {
    around = target instanceof Element ? listAround(target) : [];
    // Chromium scrolls to what is wholly hidden only: of a link at the edge of a row four pixels may be in sight. Not
    // after a press, which would end beside what has moved.
    if (target instanceof Element && target.matches(`:is(${ROWS}) :focus-visible`))
      target.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  // Its place may be another one than when it got the focus.
  document.addEventListener(
    "click",
    () => {
      const { activeElement } = document;
      if (activeElement && !isNowhere()) around = listAround(activeElement);
    },
    true,
  );
  new MutationObserver((changes) => {
    const left = leftFocus();
    if (!left) return;
    if (!left.isConnected) focusOn(findPlace());
    else if (changes.some(({ removedNodes }) => [...removedNodes].some((node) => node.contains(left))))
      // It was moved in the document, which takes the focus away too.
      focusOn(left);
  }).observe(document.body, { childList: true, subtree: true });
}

function listAround(inner: Element): typeof around {
  const element = inner.parentElement;
  if (!element) return [];
  return [{ element, place: [...element.children].indexOf(inner) }, ...listAround(element)];
}

const LISTS = "ul, ol, tbody";
/** Buttons that belong together: the next one gets the focus. */
const BUTTONS = ".bar, .actions";

function findPlace(): Element | null | undefined {
  for (const { element, place } of around) {
    if (!element.isConnected) continue;
    const row = element.matches(LISTS) && element.children[Math.min(place, element.children.length - 1)];
    if (row) return row;
    if (element.localName === "li") return element;
    const beside = element.matches(BUTTONS) && element.querySelector("button:enabled");
    const heading = element.querySelector("h1, h2");
    // A page that is loading has no heading yet.
    if (beside || heading || element.localName === "main") return beside || heading;
  }
  return undefined;
}

function focusOn(place: Element | null | undefined): void {
  if (!(place instanceof HTMLElement)) return;
  if (place.tabIndex < 0) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

/** Leads to what keeps a form from being sent: an invalid field, or else a notice among the fields of a letter. */
export function showProblem(): void {
  const field = document.querySelector("form [aria-invalid]");
  const place = field ?? document.querySelector(".letter [role=alert]");
  focusOn(place);
  place?.scrollIntoView({ block: "nearest" });
}

/** Keeps browsers from sending forms: the scripts of the pages do what a form is for. */
export function startForms(): void {
  document.addEventListener("submit", (event) => event.preventDefault());
}

/** Makes Ctrl+Enter, or Cmd+Enter, press the main button of a page, wherever the focus is. */
export function startMainAction(): void {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
    const button = formFor(event.target)?.querySelector<HTMLButtonElement>("button:not([type])");
    if (!button) return;
    // In a single-line field the browser would submit the form as well.
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
