import "./style/base.css";
import "./style/shell.css";
import "./style/parts.css";
import "./style/pages.css";
import "./style/print.css";
import { render } from "preact";
import { App } from "./app/app.tsx";
import { startRouter } from "./app/route.ts";
import { registerServiceWorker } from "./app/trusted-types.ts";

const root = document.getElementById("app");
if (root) {
  // The server's content is for browsers without script.
  root.replaceChildren();
  startRouter();
  render(<App />, root);
  registerServiceWorker();
}
