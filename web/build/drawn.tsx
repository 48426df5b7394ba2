// Run by the build to draw the pages with the same components that browsers run.
import { renderToString } from "preact-render-to-string";
import { App, showPage } from "../app/app.tsx";
import { entriesOf } from "../app/entries.ts";
import { instance } from "../app/instance.ts";
import { coreWords } from "../app/language/all-words.ts";
import { chooseLanguage, LANGUAGES, loadWords, words, type Language } from "../app/language/words.ts";
import { hrefTo, SERVER_URL } from "../app/paths/base.ts";
import { titleAt, PAGES } from "../app/paths/pages.ts";
import { currentPath } from "../app/paths/route.ts";
import { Shell } from "../app/shell.tsx";
import { Page as LinkPage } from "../link/page.tsx";
import { addIcons } from "../parts/icon.tsx";
import { MORE_ICONS } from "../parts/more-icons.ts";
import type { DrawnPage } from "../../wire/page-html.ts";
import type { PageMarkup, Styles } from "./draw.ts";

/** An example for pages without a fixed address; nothing is known about what is behind it. */
const ID = "0".repeat(16);
const OTHERS = {
  answer: `/r/${ID}#${"A".repeat(43)}`,
  collect: `/r/${ID}/collect#${"0".repeat(32)}.${"A".repeat(43)}`,
  "not-found": "/none",
};
const LINK = `/s/${ID}#${"0".repeat(22)}`;

/** All pages in each language, as an instance with default settings shows them. */
export async function drawAll(styles: Styles): Promise<(readonly [Language, PageMarkup])[]> {
  addIcons(MORE_ICONS);
  // The server fills these in.
  instance.value = { ...instance.value, name: "{{name}}", notice: "{{notice}}" };
  await loadWords(coreWords);
  const drawn: (readonly [Language, PageMarkup])[] = [];
  for (const [language] of entriesOf(LANGUAGES)) drawn.push([language, await drawIn(language, styles)]);
  return drawn;
}

async function drawIn(language: Language, styles: Styles): Promise<PageMarkup> {
  await chooseLanguage(language);
  const pages: Record<string, DrawnPage> = {};
  const paths = [...PAGES.map(({ name, path }) => [name, path] as const), ...Object.entries(OTHERS)];
  for (const [name, path] of paths) {
    location.href = SERVER_URL + path;
    currentPath.value = path.replace(/#.*/, "");
    await showPage(currentPath.value);
    const title = `${titleAt(currentPath.value)} · {{name}}`;
    pages[name] = { title, html: toHtml(<App />), styles: styles(name) };
  }
  pages["link"] = { title: "Hushkit", html: drawLink(), styles: [] };
  return { instance: instance.value, pages };
}

function drawLink(): string {
  location.href = SERVER_URL + LINK;
  const shell = (
    <Shell>
      <LinkPage />
    </Shell>
  );
  return toHtml(shell);
}

function toHtml(page: Parameters<typeof renderToString>[0]): string {
  const html = renderToString(page);
  if (html.includes(words().frame.loadFailureTitle)) throw new Error("A page could not be drawn");
  return (
    html
      .replaceAll(`="${hrefTo("/")}`, '="./')
      .replaceAll(SERVER_URL, "{{url}}")
      .replace("<code>{{digest}}", "<code>{{short}}")
      // What is typed before the scripts run must not be put into an address.
      .replaceAll("<form", '<form method="dialog"')
  );
}
