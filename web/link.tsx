// The page behind a link to a secret: a document of its own, because whoever opens one has no use for the others.
import "./style/base.css";
import "./style/shell.css";
import "./style/parts.css";
import "./style/page.css";
import "./style/print.css";
import { render } from "preact";
import { startAccess } from "./app/access.ts";
import { followFocus } from "./app/lost-focus.ts";
import { startMainAction } from "./app/main-action.ts";
import { loadInstance } from "./app/instance.ts";
import { Shell } from "./app/shell.tsx";
import { LeaveDialog } from "./app/unsaved.tsx";
import { loadWords } from "./app/language/words.ts";
import { askBeforeLeaving } from "./link/leave.ts";
import { Page } from "./link/page.tsx";
import { startLinkTitle } from "./link/title.ts";
import { linkPageWords } from "./link/words.ts";

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
