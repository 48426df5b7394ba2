// The page behind a link to a secret: a separate document, because somebody who opens one does not need the others.
import "./style/base.css";
import "./style/shell.css";
import "./style/parts.css";
import "./style/page.css";
import "./style/print.css";
import { effect } from "@preact/signals";
import { render } from "preact";
import { startAccess } from "./app/access.ts";
import { followFocus, startForms, startMainAction } from "./app/focus.ts";
import { loadInstance, instance } from "./app/instance.ts";
import { Shell } from "./app/shell.tsx";
import { LeaveDialog, confirmLeave, dropUnsaved, hasUnsaved } from "./app/unsaved.tsx";
import { loadWords, linkWords, type WordFile, type WordLoaders } from "./app/language/words.ts";
import { Page } from "./link/page.tsx";
import { followFragment, ownLinkOf } from "./app/paths/base.ts";

/** The words of the page behind a link in each language. */
const linkPageWords: WordLoaders = import.meta.glob<WordFile>("./*.json", {
  base: "./words",
  query: { part: "link" },
});

void start(document.getElementById("app"));

// Not awaited: the files with the words import from this module, which therefore must not wait for them.
async function start(root: HTMLElement | null): Promise<void> {
  if (!root) return;
  // Without the instance's own name, opening a link works all the same.
  void loadInstance();
  void startAccess();
  await loadWords(linkPageWords);
  startLinkTitle();
  startForms();
  startMainAction();
  followFocus();
  followFragment();
  askBeforeLeaving();
  // Removes what the build has drawn, and the text for browsers without scripts. Nothing can be typed there.
  root.replaceChildren();
  render(
    <Shell>
      <LeaveDialog />
      <Page />
    </Shell>,
    root,
  );
  for (const name of ["page", "other"]) delete document.documentElement.dataset[name];
}

/** Asks before a link leaves the page with something that only this page has. */
function askBeforeLeaving(): void {
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

/** Sets the title of the browser's tab in the chosen language. */
function startLinkTitle(): void {
  effect(() => {
    document.title = `${linkWords().reveal.title} · ${instance.value.name}`;
  });
}
