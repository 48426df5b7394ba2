import type { Route } from "../trpc/route.ts";

/**
 * The paths at which a route is found: below the base path, and without it, for a proxy that takes it off and for
 * health checks that ask the port itself.
 */
export function pathsBelow(basePath: string, { path }: Pick<Route, "path">): string[] {
  return basePath === "" ? [path] : [basePath + path, path];
}

/** The URL without the base path, where it has that. */
export function withoutBase(url: URL, basePath: string): URL {
  if (basePath === "" || !`${url.pathname}/`.startsWith(`${basePath}/`)) return url;
  const inner = new URL(url.href);
  inner.pathname = url.pathname.slice(basePath.length);
  return inner;
}
