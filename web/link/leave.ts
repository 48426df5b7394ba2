import { ownLinkOf } from "../app/paths/own-link.ts";
import { confirmLeave, dropUnsaved, hasUnsaved } from "../app/unsaved.tsx";

/** Asks before a link leads away from what only this page has. */
export function askBeforeLeaving(): void {
  document.addEventListener("click", (event) => {
    const link = hasUnsaved.peek() ? ownLinkOf(event) : undefined;
    if (!link || link.hash !== "") return;
    event.preventDefault();
    void leaveFor(link.href);
  });
}

async function leaveFor(href: string): Promise<void> {
  if (!(await confirmLeave())) return;
  dropUnsaved();
  location.assign(href);
}
