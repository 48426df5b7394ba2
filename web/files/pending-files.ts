import { pathOf, type PageName } from "../../wire/pages.ts";
import { openPage, replacePage } from "../app/paths/route.ts";

// What is on its way to another tool; it waits here while its page is loaded.
let pendingFiles: readonly File[] = [];
let pendingText = "";

/** Opens another tool's page with these files. */
export function openWithFiles(page: PageName, files: readonly File[]): void {
  pendingFiles = files;
  // Nothing is lost: the other page gets the files.
  openPage(pathOf(page));
}

/** The same, in place of the shown page. */
export function replaceWithFiles(page: PageName, files: readonly File[]): void {
  pendingFiles = files;
  replacePage(pathOf(page));
}

/** The files that another page has sent to this one; asking takes them. */
export function takePendingFiles(): readonly File[] {
  const files = pendingFiles;
  pendingFiles = [];
  return files;
}

/** Shows the page that shares, with a text, in place of the shown page. */
export function replaceWithText(text: string): void {
  pendingText = text;
  replacePage(pathOf("share"));
}

/** The text that another page has sent to this one; asking takes it. */
export function takePendingText(): string {
  const text = pendingText;
  pendingText = "";
  return text;
}
