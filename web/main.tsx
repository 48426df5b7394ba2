import "./style/base.css";
import "./style/type.css";
import "./style/shell.css";
import "./style/navigation.css";
import "./style/parts.css";
import "./style/forms.css";
import "./style/page.css";
import "./style/pages.css";
import "./style/print.css";
import { render } from "preact";
import { startAccess } from "./app/access.ts";
import { comeAlive, isTyped } from "./app/alive.ts";
import { App, showPage, startPages, startTitle } from "./app/app.tsx";
import { followFragment, shownPath, isGuest } from "./app/paths/base.ts";
import { loadInstance } from "./app/instance.ts";
import { loadPage } from "./app/paths/pages.ts";
import { startArriving } from "./files/arriving.ts";
import { startFocusKeeper, startForms, startMainAction } from "./app/focus.ts";
import { startFinder } from "./find/find.tsx";
import { currentPath, startRouter } from "./app/paths/route.ts";
import { coreWords } from "./app/language/all-words.ts";
import { loadWords } from "./app/language/words.ts";
import { addIcons } from "./parts/icon.tsx";
import { MORE_ICONS } from "./parts/more-icons.ts";
import { registerServiceWorker } from "./app/trusted-types.ts";

const root = document.getElementById("app");
if (root) {
  addIcons(MORE_ICONS);
  await Promise.all([loadWords(coreWords), loadInstance(), startAccess()]);
  // Where a page cannot be loaded nothing replaces its text: what the build has drawn stays, and says so.
  await loadPage(currentPath.value).catch((error: unknown) => {
    if (isTyped(root)) throw error;
  });
  await showPage(currentPath.value);
  startPages();
  startRouter();
  followFragment();
  startTitle();
  startForms();
  startMainAction();
  startFocusKeeper();
  startFinder();
  startArriving();
  comeAlive(root, () => render(<App />, root));
  // Somebody who opens a link once does not need the tools, and should not load them in the background.
  if (!isGuest(shownPath())) registerServiceWorker();
}
