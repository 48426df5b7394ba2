import { signal } from "@preact/signals";

/** The path of the page that is shown. */
export const path = signal(location.pathname);

/** Whether the person has moved since the document was loaded: only then is the focus ours to move. */
export const hasMoved = signal(false);

/** Shows another page without loading a document. */
export function go(to: string): void {
  history.pushState(null, "", to);
  arrive();
}

function arrive(): void {
  hasMoved.value = true;
  path.value = location.pathname;
  scrollTo(0, 0);
}

/** Lets plain clicks on links between the pages stay in this document. */
export function followLinks(): void {
  addEventListener("popstate", () => {
    if (location.pathname !== path.value) arrive();
  });
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || !isPlain(event) || !isBetweenPages(link)) return;
    event.preventDefault();
    if (link.pathname !== path.value) go(link.pathname);
  });
}

function isPlain(event: MouseEvent): boolean {
  return (
    event.button === 0 &&
    !event.defaultPrevented &&
    !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
  );
}

function isBetweenPages(link: HTMLAnchorElement): boolean {
  return (
    link.origin === location.origin &&
    !link.hasAttribute("download") &&
    link.target !== "_blank" &&
    link.hash === "" &&
    !/^\/(api|trpc|assets|s)\//.test(link.pathname)
  );
}
