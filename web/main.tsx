import "./style/base.css";
import "./style/shell.css";
import "./style/parts.css";
import "./style/pages.css";
import { render } from "preact";
import { App } from "./app/app.tsx";
import { followLinks } from "./app/route.ts";
import { keepForOffline } from "./app/trusted.ts";

const root = document.getElementById("app");
if (root) {
  // What stood there was for browsers without script.
  root.replaceChildren();
  followLinks();
  render(<App />, root);
  keepForOffline();
}
