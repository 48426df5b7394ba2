import { readdir, readFile } from "node:fs/promises";
import { PAGE_NAMES, pathOf, TOOL_NAMES } from "../../wire/pages.ts";
import { CliError, EXIT } from "../exit.ts";
import type { Io } from "../terminal/io.ts";
import { connectionFailure } from "./connection-failure.ts";

const PAGE = "index.html";
const LINK_PAGE = "link.html";
/** What no server sends as it is. */
const UNSENT = [PAGE, LINK_PAGE, "stamp.txt", "preloads.json"];
/** Where a link to a secret leads; the page asks for nothing before a click. */
const LINK = "/s/0000000000000000";

interface Compared {
  readonly path: string;
  readonly isSame: boolean;
}

/** Asks for every page and every file of the pages. @throws CliError usage where there is nothing to compare with, network */
export async function comparePages(io: Io, base: string): Promise<Compared[]> {
  const { PLACES } = await import("../../adapters/places.ts");
  const names = await readdir(PLACES.pages, { recursive: true }).catch(() => []);
  const files = names.map((name) => name.replaceAll("\\", "/")).filter((name) => /\.[a-z0-9]+$/.test(name));
  if (!files.includes(PAGE))
    throw new CliError(EXIT.usage, "The pages to compare with are not built; `npm run build` builds them.");
  const compared: Compared[] = [];
  const missing = await leftOut(io, base);
  const pages = PAGE_NAMES.filter((name) => !missing.includes(name));
  const shells = { [PAGE]: pages.map(pathOf), [LINK_PAGE]: [LINK] };
  for (const [name, paths] of Object.entries(shells)) {
    const shell = await readFile(new URL(name, PLACES.pages), "utf8");
    for (const path of paths)
      compared.push({ path, isSame: isShell(await ask(io, base + path), { shell, base }) });
  }
  for (const name of files.filter((each) => !UNSENT.includes(each)).sort()) {
    const own = await readFile(new URL(name, PLACES.pages));
    compared.push({ path: `/${name}`, isSame: own.equals(await ask(io, `${base}/${name}`)) });
  }
  return compared;
}

/** The tools that the operator has left out, whose pages are not there. */
async function leftOut(io: Io, base: string): Promise<readonly string[]> {
  const text = (await ask(io, `${base}/api/instance`)).toString("utf8");
  const { tools } = text === "" ? {} : (JSON.parse(text) as { tools?: readonly string[] });
  return tools ? TOOL_NAMES.filter((name) => !tools.includes(name)) : [];
}

async function ask(io: Io, url: string): Promise<Buffer> {
  const headers = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  try {
    const response = await io.fetch(url, { headers, redirect: "manual" });
    return response.ok ? Buffer.from(await response.arrayBuffer()) : Buffer.alloc(0);
  } catch (error) {
    throw connectionFailure(error, { proxy: undefined });
  }
}

/**
 * Whether a page is the built one. The server puts its path before names and, for browsers without script, words into
 * a noscript element, which others do not read.
 */
function isShell(page: Buffer, { shell, base }: { shell: string; base: string }): boolean {
  const path = new URL(base).pathname.replace(/\/+$/, "");
  const [head = "", tail = ""] = shell.replaceAll('="./', `="${path}/`).split("<!--without-script-->");
  // The address of the picture for chats is whole, and may be another name of the same server.
  const text = page.toString("utf8").replaceAll(/(?<=property="og:image" content=")https?:\/\/[^"/]+/g, "");
  if (!text.startsWith(head) || !text.endsWith(tail) || text.length < head.length + tail.length) return false;
  const inside = text.slice(head.length, text.length - tail.length).trim();
  return /^<noscript>(?:(?!<\/?noscript)[^])*<\/noscript>$/i.test(inside);
}
