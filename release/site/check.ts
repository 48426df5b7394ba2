import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** What a browser loads by itself, as opposed to a link that a reader follows. */
const LOADED =
  /<(?:script|link|img|source|iframe|video|audio|object|embed)\b[^>]*?\b(?:src|srcset|href|data)="(?:https?:)?\/\/[^"]*"/g;
const BY_STYLE = /(?:@import|url\()\s*["']?(?:https?:)?\/\/[^\s"')]+/g;
const BY_SCRIPT =
  /(?:\bimport|\bfetch|importScripts|new (?:Worker|WebSocket|EventSource|XMLHttpRequest))\(\s*["'`](?:https?|wss?):[^"'`]*/g;

/** What is wrong with a built site: links that lead nowhere, and what it would load from other hosts. */
export function checkSite(folder: string, base: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const texts = names.filter((name) => /\.(html|css|js)$/.test(name));
  const files = new Map(texts.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  const pages = new Map([...files].filter(([name]) => name.endsWith(".html")));
  const foreign = [...files].flatMap(([name, text]) => foreignIn(name, text));
  const broken = [...pages].flatMap(([file, html]) =>
    linksIn(html)
      .filter((link) => !leadsSomewhere(link, { file, base, folder, pages }))
      .map((link) => `${file} leads to ${link}, where there is nothing`),
  );
  return [...foreign, ...broken];
}

function foreignIn(file: string, text: string): string[] {
  const patterns = file.endsWith(".html")
    ? [LOADED, BY_STYLE]
    : [file.endsWith(".css") ? BY_STYLE : BY_SCRIPT];
  return patterns.flatMap((pattern) => text.match(pattern) ?? []).map((found) => `${file} loads ${found}`);
}

function linksIn(html: string): string[] {
  const links = [...html.matchAll(/<a\b[^>]*?\bhref="([^"]*)"/g)].map(([, link = ""]) => link);
  return [...new Set(links)].filter((link) => !/^(https?|mailto):/.test(link));
}

function leadsSomewhere(
  link: string,
  {
    file,
    base,
    folder,
    pages,
  }: { file: string; base: string; folder: string; pages: ReadonlyMap<string, string> },
): boolean {
  const here = new URL(file.replace(/(^|\/)index\.html$|\.html$/, "$1"), `http://site${base}`);
  const { pathname, hash } = new URL(link, here);
  if (!pathname.startsWith(base)) return false;
  const path = decodeURIComponent(pathname.slice(base.length));
  const target = [`${path}.html`, `${path}index.html`, path === "" ? "index.html" : path].find((each) =>
    pages.has(each),
  );
  if (target === undefined) return path !== "" && existsSync(join(folder, path));
  const anchor = decodeURIComponent(hash.slice(1));
  return anchor === "" || pages.get(target)?.includes(`id="${anchor}"`) === true;
}
