import { signal } from "@preact/signals";
import { hrefTo, pathBelow, shownPath, hasNavigated, ownLinkOf } from "./base.ts";
import {
  dropDrafts,
  currentPosition,
  pushEntry,
  replaceEntry,
  setPosition,
  startHistory,
  stepsMoved,
} from "./history.ts";
import { confirmLeave, hasUnsaved } from "../unsaved.tsx";

/** The path of the page that is shown. */
export const currentPath = signal(shownPath());

/** What to do with the next change of the history, if this file has caused it. */
let ownChange: "ignore" | "show" | undefined;

/** Shows another page without loading a document, if nothing unsaved keeps the person here. */
export async function navigate(to: string): Promise<void> {
  if (await confirmLeave()) openPage(to);
}

/** Shows another page without asking. */
export function openPage(to: string): void {
  pushEntry(hrefTo(to));
  dropDrafts(currentPosition());
  showCurrentPath();
}

/** Shows another page instead of this one, to which Back then does not lead. */
export function replacePage(to: string): void {
  replaceEntry(hrefTo(to));
  showCurrentPath();
}

/** Handles links between the pages, and Back and Forward, without loading a document. */
export function startRouter(): void {
  startHistory();
  addEventListener("popstate", () => void followHistory());
  document.addEventListener("click", (event) => {
    const link = ownLinkOf(event);
    const to = link && pageOf(link);
    if (to === undefined) return;
    event.preventDefault();
    if (to !== currentPath.value) void navigate(to);
  });
}

function showCurrentPath(): void {
  hasNavigated.value = true;
  currentPath.value = shownPath();
  scrollTo(0, 0);
}

// A browser has already moved when it says so. To ask first, we move back, and after a confirmation forward again.
async function followHistory(): Promise<void> {
  const change = ownChange;
  ownChange = undefined;
  if (change === "ignore") return;
  const steps = stepsMoved();
  if (shownPath() !== currentPath.value && hasUnsaved.peek() && change !== "show" && steps !== 0) {
    ownChange = "ignore";
    history.go(-steps);
    if (!(await confirmLeave())) return;
    ownChange = "show";
    history.go(steps);
    return;
  }
  setPosition(currentPosition() + steps);
  if (shownPath() !== currentPath.value) showCurrentPath();
}

/** The path of the page that a link leads to, if it is one of ours. */
function pageOf(link: HTMLAnchorElement): string | undefined {
  const path = link.hash === "" ? pathBelow(link.pathname) : undefined;
  return path === undefined || /^\/(api|trpc|assets|s|r)\//.test(path) ? undefined : path;
}
