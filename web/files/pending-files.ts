import { navigate } from "../app/route.ts";

// A result on its way into another tool; it waits here while that page is loaded.
let pendingFiles: readonly File[] = [];

/** Opens another tool's page with these files. */
export function openWithFiles(path: string, files: readonly File[]): void {
  pendingFiles = files;
  navigate(path);
}

/** The files that were carried to this page, once. */
export function takePendingFiles(): readonly File[] {
  const files = pendingFiles;
  pendingFiles = [];
  return files;
}
