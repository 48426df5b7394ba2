import "./style/base.css";
import "./style/shell.css";
import "./style/navigation.css";
import "./style/parts.css";
import "./style/page.css";
import "./style/pages.css";
import "./style/print.css";
import { render } from "preact";
import { App, startTitle } from "./app/app.tsx";
import { shownPath } from "./app/paths/base.ts";
import { isGuest } from "./app/guest.ts";
import { startMainAction } from "./app/main-action.ts";
import { startRouter } from "./app/paths/route.ts";
import { allWords } from "./app/language/all-words.ts";
import { loadWords } from "./app/language/words.ts";
import { registerServiceWorker } from "./app/trusted-types.ts";

const root = document.getElementById("app");
if (root) {
  // The server's content is for browsers without script.
  await loadWords(allWords);
  root.replaceChildren();
  startRouter();
  startTitle();
  startMainAction();
  render(<App />, root);
  // Whoever opens a link once has no use for the tools, and waits for nothing in the background.
  if (!isGuest(shownPath())) registerServiceWorker();
}
