// Files of the build are in /assets below the base path. In a constant, because Vite takes `new URL("..",
// import.meta.url)` for a file to bundle.
const ownUrl: string = import.meta.url;

/** The URL under which everything is. */
export const SERVER_URL = new URL("..", ownUrl).href.replace(/\/$/, "");

/** What PUBLIC_URL has as its path, without a slash at the end: "" for a host of our own. */
const BASE_PATH = new URL(SERVER_URL).pathname.replace(/\/$/, "");

/** What a link to one of our paths says. */
export function hrefTo(path: string): string {
  return `${BASE_PATH}${path}`;
}

/** The path below the base path, and of anything else undefined. */
export function pathBelow(pathname: string): string | undefined {
  if (!`${pathname}/`.startsWith(`${BASE_PATH}/`)) return undefined;
  return pathname.slice(BASE_PATH.length) || "/";
}

/** The path of the page that the browser shows. */
export function shownPath(): string {
  return pathBelow(location.pathname) ?? "/";
}
