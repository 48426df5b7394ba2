import { signal } from "@preact/signals";

/** The path of the page that is shown. */
export const currentPath = signal(location.pathname);

/** Whether the person has moved since the document was loaded: only then is the focus ours to move. */
export const hasNavigated = signal(false);

/** Shows another page without loading a document. */
export function navigate(to: string): void {
  history.pushState(null, "", to);
  showCurrentPath();
}

function showCurrentPath(): void {
  hasNavigated.value = true;
  currentPath.value = location.pathname;
  scrollTo(0, 0);
}

/** Lets plain clicks on links between the pages stay in this document. */
export function interceptLinks(): void {
  addEventListener("popstate", () => {
    if (location.pathname !== currentPath.value) showCurrentPath();
  });
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link || !isPlain(event) || !isBetweenPages(link)) return;
    event.preventDefault();
    if (link.pathname !== currentPath.value) navigate(link.pathname);
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
