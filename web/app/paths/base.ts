import { signal } from "@preact/signals";

// Files of the build are in /assets below the base path. A constant, because Vite takes `new URL("..",
// import.meta.url)` for a file to bundle.
const ownUrl: string = import.meta.url;

/** The URL that everything is below. */
export const SERVER_URL = new URL("..", ownUrl).href.replace(/\/$/, "");

/** The path of PUBLIC_URL, without a slash at the end: "" for a host of our own. */
const BASE_PATH = new URL(SERVER_URL).pathname.replace(/\/$/, "");

/** The href of a link to one of our paths. */
export function hrefTo(path: string): string {
  return `${BASE_PATH}${path}`;
}

/** The path below the base path; undefined for other paths. */
export function pathBelow(pathname: string): string | undefined {
  if (!`${pathname}/`.startsWith(`${BASE_PATH}/`)) return undefined;
  return pathname.slice(BASE_PATH.length) || "/";
}

/** The path of the page that the browser shows. */
export function shownPath(): string {
  return pathBelow(location.pathname) ?? "/";
}

const GUEST = /^\/r\/[^/]*$/;

/** Begins anew with another fragment, which holds what a link opens: browsers load no document for it. */
export function followFragment(): void {
  addEventListener("hashchange", () => location.reload());
}

/** Whether this page is for people who were sent a link. */
export function isGuest(path: string): boolean {
  return GUEST.test(path);
}

/** Whether the page has changed since the document was loaded. Only then may scripts move the focus. */
export const hasNavigated = signal(false);

/** The link of this server that a click follows, if the browser would load it in this document. */
export function ownLinkOf(event: MouseEvent): HTMLAnchorElement | undefined {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || !isPlain(event) || link.origin !== location.origin) return undefined;
  return link.hasAttribute("download") || link.target === "_blank" ? undefined : link;
}

function isPlain(event: MouseEvent): boolean {
  return (
    event.button === 0 &&
    !event.defaultPrevented &&
    !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
  );
}
