import { PAGE_PATHS, type PageName } from "../../wire/page-paths.ts";
import { openPage } from "../app/route.ts";

// Files on their way to another tool; they wait here while its page is loaded.
let pendingFiles: readonly File[] = [];

/** Opens another tool's page with these files. */
export function openWithFiles(page: PageName, files: readonly File[]): void {
  pendingFiles = files;
  // Nothing is lost: the other page gets the files.
  openPage(PAGE_PATHS[page]);
}

/** The files that another page has sent to this one; asking takes them. */
export function takePendingFiles(): readonly File[] {
  const files = pendingFiles;
  pendingFiles = [];
  return files;
}
