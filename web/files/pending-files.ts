import { PAGE_PATHS, type PageName } from "../../wire/page-paths.ts";
import { navigate } from "../app/route.ts";

// Files on their way to another tool; they wait here while its page is loaded.
let pendingFiles: readonly File[] = [];

/** Opens another tool's page with these files. */
export function openWithFiles(page: PageName, files: readonly File[]): void {
  pendingFiles = files;
  navigate(PAGE_PATHS[page]);
}

/** The files that another page has sent to this one; asking takes them. */
export function takePendingFiles(): readonly File[] {
  const files = pendingFiles;
  pendingFiles = [];
  return files;
}
