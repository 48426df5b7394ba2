import { rmSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { build, type InlineConfig, type Plugin } from "vite";
import { styleIn } from "./seal.ts";
import { readWords } from "./words.ts";
import { drawnFile, escapeHtml, type DrawnPages } from "../../wire/page-html.ts";

/** The address of the pages while they are drawn; the server replaces it by the real one. */
const STAND_IN = "https://hushkit.invalid/-/";

/** The style sheets of each page in addition to the common ones. */
export type Styles = (page: string) => readonly string[];

/** Everything except the content of the style sheets. */
export type PageMarkup = Omit<DrawnPages, "styles">;

/** Writes the HTML of each page before its scripts run, one file per language. */
export async function drawPages(folder: string, common: InlineConfig, styles: Styles): Promise<void> {
  const program = `${folder}.drawn`;
  try {
    await build(programOf(program, common));
    standInForBrowser();
    // What `drawn.tsx` exports.
    const { drawAll } = (await import(pathToFileURL(`${program}/drawn.js`).href)) as {
      drawAll: (styles: Styles) => Promise<readonly (readonly [language: string, PageMarkup])[]>;
    };
    for (const [language, drawn] of await drawAll(styles)) {
      const pages = withDead(drawn, language);
      const files = new Set(Object.values(pages.pages).flatMap((page) => page.styles));
      const texts = Object.fromEntries([...files].map((file) => [file, styleIn(folder, file)]));
      writeFileSync(`${folder}/${drawnFile(language)}`, JSON.stringify({ ...pages, styles: texts }));
    }
  } finally {
    rmSync(program, { recursive: true, force: true });
  }
}

/** Each page includes the text for scripts that do not load, because nothing else can show it then. */
function withDead({ instance, pages }: PageMarkup, language: string): PageMarkup {
  const { server } = { ...readWords("en"), ...readWords(language) };
  const { unloaded, unloadedTyped } = server as Record<"unloaded" | "unloadedTyped", string>;
  const entries = Object.entries(pages).map(([name, page]) => {
    const said = name === "link" ? unloaded : `${unloaded} ${unloadedTyped}`;
    const html = `<p class="note bad dead" role="alert">${escapeHtml(said)}</p>${page.html}`;
    return [name, { ...page, html }] as const;
  });
  return { instance, pages: Object.fromEntries(entries) };
}

function programOf(outDir: string, common: InlineConfig): InlineConfig {
  return {
    ...common,
    plugins: [...(common.plugins ?? []), withoutLater()],
    define: { ...common.define, "import.meta.url": JSON.stringify(`${STAND_IN}assets/drawn.js`) },
    // Bundlers' warnings about tools that no page draws.
    logLevel: "error",
    publicDir: false,
    build: {
      outDir,
      ssr: "build/drawn.tsx",
      emptyOutDir: true,
      minify: false,
      rolldownOptions: { checks: { pluginTimings: false } },
      reportCompressedSize: false,
    },
  };
}

/** Leaves out what pages load on demand; pages themselves and their words are loaded at once. */
function withoutLater(): Plugin {
  return {
    name: "without-later",
    resolveDynamicImport: (id) =>
      typeof id === "string" && /\/(?:pages|words)\//.test(id) ? null : { id: String(id), external: true },
  };
}

/**
 * What the pages read from a browser while they are drawn: nothing is stored, and nothing is known about the device.
 */
function standInForBrowser(): void {
  const nothing = () => undefined;
  const element = { dataset: {}, content: "{{version}} {{digest}}", addEventListener: nothing };
  const storage = { getItem: () => null, setItem: nothing, removeItem: nothing };
  const browser = {
    location: { pathname: "/-/", href: STAND_IN, search: "", hash: "" },
    document: { documentElement: element, querySelector: () => element, addEventListener: nothing },
    navigator: { languages: [], onLine: false, userAgent: "", platform: "" },
    history: { state: null },
    localStorage: storage,
    sessionStorage: storage,
    matchMedia: () => ({ matches: false, addEventListener: nothing }),
    addEventListener: nothing,
    removeEventListener: nothing,
  };
  for (const [name, value] of Object.entries(browser))
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}
