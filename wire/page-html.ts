// How a page is put together: by the server that sends it, and by `hushkit verify`, which compares.
import { PAGE_NAMES, pathOf, TOOL_NAMES, type PageName } from "./pages.ts";

/** What the pages look like before their scripts are there, in one language. */
export interface DrawnPages {
  /** The instance that they were drawn for. */
  readonly instance: Partial<SeenInstance>;
  /** By the name of the page; `link` is the one behind a link to a secret. */
  readonly pages: Readonly<Record<string, DrawnPage>>;
  /** What is in the style sheets that pages name. */
  readonly styles: Readonly<Record<string, string>>;
}

export interface DrawnPage {
  readonly title: string;
  readonly html: string;
  /** The files of its style sheets, besides that of all pages. */
  readonly styles: readonly string[];
}

/** What `GET /api/instance` says and pages show. */
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

/** The file beside the built pages that has those of a language. */
export function drawnFile(language: string): string {
  return `drawn.${language}.json`;
}

/** Which page is at a path below the base path. */
export function pageAt(path: string): string {
  if (path.startsWith("/s/")) return "link";
  if (path.startsWith("/r/")) return path.endsWith("/collect") ? "collect" : "answer";
  return PAGE_NAMES.find((name) => pathOf(name) === path) ?? "not-found";
}

/** Where the words for browsers without script stand. */
export const WITHOUT_SCRIPT = "<!--without-script-->";
/** How much of the digest of a release is read by people. */
export const SHOWN_DIGITS = 16;
const NOTICE = '<p class="notice" dir="auto">{{notice}}</p>';

interface PageParts {
  /** What all pages have in common. */
  readonly shell: string;
  readonly language: string;
  /** As `pageAt` gives it. */
  readonly name: string;
  readonly drawn: DrawnPages | undefined;
  readonly instance: SeenInstance;
  readonly publicUrl: string;
}

/** A page, but for the words to browsers without script. The build knows no setting. */
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
  // What is in the page is not loaded again: scripts that want these find them.
  const links = styles.map((file) => `<link rel="stylesheet" disabled href="./${file}">`).join("");
  return (
    shell
      .replace('lang="en" dir="ltr"', () => languageAttributes(language) + placeAttribute(name, basePath))
      .replace("<title>Hushkit", () => `<title>${fill(title)}`)
      .replace("<!--drawn-->", () => fill(drawn ? asSeen(html, { name, instance, drawn }) : ""))
      .replace("</style>", () => `${style}</style>${links}`)
      // Chats that show a picture of a page want its whole address.
      .replaceAll('content="./', () => `content="${publicUrl}/`)
      .replaceAll('="./', () => `="${basePath}/`)
      .replaceAll("url(./", () => `url(${basePath}/`)
  );
}

/** Until a page is alive: where it is, if the service worker may give it out of its cache at another place. */
function placeAttribute(name: string, basePath: string): string {
  return ` data-page="${isPageName(name) ? escapeHtml(basePath + pathOf(name)) : ""}"`;
}

function isPageName(name: string): name is PageName {
  return (PAGE_NAMES as readonly string[]).includes(name);
}

/** The frame alone, where settings of the instance change what is in it. */
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

/** A page with its heading alone. */
function frameOf(html: string): string {
  return html.replace(
    /(<main[^>]*><section[^>]*><header class="head"><h1[^>]*>[^<]*<\/h1>)[^]*(<\/section><\/main>)/,
    '$1</header><p class="loading"></p>$2',
  );
}

const SETTINGS = ["anonymous", "passphrase", "limits"] as const;
const LOGIN = ["registration", "login", "oidc"] as const;
const ABOUT_LOGIN = ["account", "members"];

/** The attributes of what is said in a language. */
export function languageAttributes(language: string): string {
  return `lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}"`;
}

/** Text inside HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
