// The page behind a link to a secret: a document of its own, because whoever opens one has no use for the others.
import "./style/base.css";
import "./style/shell.css";
import "./style/parts.css";
import "./style/page.css";
import "./style/print.css";
import { effect } from "@preact/signals";
import { render } from "preact";
import { startAccess } from "./app/access.ts";
import { followFocus, startMainAction } from "./app/focus.ts";
import { loadInstance, instance } from "./app/instance.ts";
import { Shell } from "./app/shell.tsx";
import { LeaveDialog, confirmLeave, dropUnsaved, hasUnsaved } from "./app/unsaved.tsx";
import { loadWords, linkWords, type WordFile, type WordLoaders } from "./app/language/words.ts";
import { Page } from "./link/page.tsx";
import { ownLinkOf } from "./app/paths/base.ts";

/** What the page behind a link says in each language. */
const linkPageWords: WordLoaders = import.meta.glob<WordFile>("./*.json", {
  base: "./words",
  query: { part: "link" },
});

void start(document.getElementById("app"));

// Not awaited: the words come in files that take something from this one, which therefore must not wait for them.
async function start(root: HTMLElement | null): Promise<void> {
  if (!root) return;
  // It opens a link all the same without a name of its own.
  void loadInstance();
  void startAccess();
  await loadWords(linkPageWords);
  startLinkTitle();
  startMainAction();
  followFocus();
  askBeforeLeaving();
  // What the build has drawn, and the server's words for browsers without script. There is nothing in it to be typed.
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

/** Asks before a link leads away from what only this page has. */
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

/** Names the browser's tab, in each language that is chosen. */
function startLinkTitle(): void {
  effect(() => {
    document.title = `${linkWords().reveal.title} · ${instance.value.name}`;
  });
}
