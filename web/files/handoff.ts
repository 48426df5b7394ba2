import { go } from "../app/route.ts";

// A result on its way into another tool; it waits here while that page is loaded.
let carried: readonly File[] = [];

/** Opens another tool's page with these files. */
export function carryTo(path: string, files: readonly File[]): void {
  carried = files;
  go(path);
}

/** The files that were carried to this page, once. */
export function takeCarried(): readonly File[] {
  const files = carried;
  carried = [];
  return files;
}
