import { signal } from "@preact/signals";

/** The path of the page that is shown. */
export const currentPath = signal(location.pathname);

/** Whether the page has changed since the document was loaded. Only then may we move the focus. */
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

/** Handles plain clicks on links between the pages without loading a document. */
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
