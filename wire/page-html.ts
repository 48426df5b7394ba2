// Builds the HTML of a page: for the server that sends it, and for `hushkit verify`, which compares.
import { PAGE_NAMES, pathOf, TOOL_NAMES, type PageName } from "./pages.ts";

/** The pages in one language, as they look before their scripts run. */
export interface DrawnPages {
  /** The instance whose settings they show. */
  readonly instance: Partial<SeenInstance>;
  /** By the name of the page; `link` is the page behind a link to a secret. */
  readonly pages: Readonly<Record<string, DrawnPage>>;
  /** The content of the style sheets that pages name. */
  readonly styles: Readonly<Record<string, string>>;
}

export interface DrawnPage {
  readonly title: string;
  readonly html: string;
  /** The files of its style sheets, besides the common one. */
  readonly styles: readonly string[];
}

/** The part of `GET /api/instance` that pages show. */
export interface SeenInstance {
  readonly name: string;
  readonly notice: string | null;
  readonly tools: readonly string[] | undefined;
  readonly anonymous: string;
  readonly passphrase: string;
  readonly limits: object;
  readonly registration: string;
  readonly login: readonly string[];
  readonly oidc: object | null;
}

/** The file beside the built pages that contains those of a language. */
export function drawnFile(language: string): string {
  return `drawn.${language}.json`;
}

/** The page at a path below the base path. */
export function pageAt(path: string): string {
  if (path.startsWith("/s/")) return "link";
  if (path.startsWith("/r/")) return path.includes("/collect") ? "collect" : "answer";
  return PAGE_NAMES.find((name) => pathOf(name) === path) ?? "not-found";
}

/** The place of the words for browsers without scripts. */
export const WITHOUT_SCRIPT = "<!--without-script-->";
/** How many digits of a release's digest people are shown. */
export const SHOWN_DIGITS = 16;
const NOTICE = '<p class="notice" dir="auto">{{notice}}</p>';

interface PageParts {
  /** What all pages have in common. */
  readonly shell: string;
  readonly language: string;
  /** What `pageAt` returns. */
  readonly name: string;
  readonly drawn: DrawnPages | undefined;
  readonly instance: SeenInstance;
  readonly publicUrl: string;
}

/** A page without the words for browsers without scripts. The build knows no settings. */
export function composePage({ shell, language, name, drawn, instance, publicUrl }: PageParts): string {
  const basePath = new URL(publicUrl).pathname.replace(/\/$/, "");
  const [, version = "", digest = ""] = /name="release" content="(\S+) (\w+)"/.exec(shell) ?? [];
  const texts = {
    version,
    digest,
    short: digest.slice(0, SHOWN_DIGITS),
    url: publicUrl,
    name: instance.name,
    notice: instance.notice ?? "",
  };
  const values = new Map(Object.entries(texts).map(([key, text]) => [`{{${key}}}`, escapeHtml(text)]));
  const fill = (text: string) => text.replaceAll(/\{\{\w+\}\}/g, (key) => values.get(key) ?? "");
  const { title = "Hushkit", html = "", styles = [] } = drawn?.pages[name] ?? {};
  const style = styles.map((file) => drawn?.styles[file] ?? "").join("");
  // Marks what the page contains as loaded, for scripts that would load it.
  const links = styles.map((file) => `<link rel="stylesheet" disabled href="./${file}">`).join("");
  return (
    shell
      .replace('lang="en" dir="ltr"', () => languageAttributes(language) + placeAttribute(name, basePath))
      .replace("<title>Hushkit", () => `<title>${fill(title)}`)
      .replace("<!--drawn-->", () => fill(drawn ? asSeen(html, { name, instance, drawn }) : ""))
      .replace("</style>", () => `${style}</style>${links}`)
      // Chats that show a picture of a page need its absolute address.
      .replaceAll('content="./', () => `content="${publicUrl}/`)
      .replaceAll('="./', () => `="${basePath}/`)
      .replaceAll("url(./", () => `url(${basePath}/`)
  );
}

/** Says where the page is until it is alive, if the service worker may serve it from its cache at another path. */
function placeAttribute(name: string, basePath: string): string {
  return ` data-page="${isPageName(name) ? escapeHtml(basePath + pathOf(name)) : ""}"`;
}

function isPageName(name: string): name is PageName {
  return (PAGE_NAMES as readonly string[]).includes(name);
}

/** Only the frame, where the instance's settings change the content. */
function asSeen(
  html: string,
  { name, instance, drawn }: Pick<PageParts, "name" | "instance"> & { drawn: DrawnPages },
): string {
  const framed = instance.notice === null ? html.replace(NOTICE, "") : html;
  const isSame = (key: keyof SeenInstance) =>
    JSON.stringify(instance[key]) === JSON.stringify(drawn.instance[key]);
  const hasAll = TOOL_NAMES.every((tool) => instance.tools?.includes(tool));
  if (
    name === "link" ||
    (hasAll && SETTINGS.every(isSame) && (!ABOUT_LOGIN.includes(name) || LOGIN.every(isSame)))
  )
    return framed;
  return frameOf(framed).replace(/<nav class="strip"[^]*?<\/nav>/, "");
}

/** A page with nothing but its heading. */
function frameOf(html: string): string {
  return html.replace(
    /(<main[^>]*><section[^>]*><header class="head"><h1[^>]*>[^<]*<\/h1>)[^]*(<\/section><\/main>)/,
    '$1</header><p class="loading"></p>$2',
  );
}

const SETTINGS = ["anonymous", "passphrase", "limits"] as const;
const LOGIN = ["registration", "login", "oidc"] as const;
const ABOUT_LOGIN = ["account", "members"];

/** The attributes of an element in a language. */
export function languageAttributes(language: string): string {
  return `lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}"`;
}

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
