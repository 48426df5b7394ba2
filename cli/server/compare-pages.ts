import { readdir, readFile } from "node:fs/promises";
import {
  explainAnswer,
  explainError,
  NotHushkit,
  parseUrl,
  versionOf,
} from "../../client/answers/not-hushkit.ts";
import { readAnswer, readAnswerText } from "../../client/answers/read-answer.ts";
import { RestFailure } from "../../client/rest.ts";
import {
  composePage,
  drawnFile,
  pageAt,
  WITHOUT_SCRIPT,
  type DrawnPages,
  type SeenInstance,
} from "../../wire/page-html.ts";
import { PAGE_NAMES, pathOf, TOOL_NAMES } from "../../wire/pages.ts";
import { usageError } from "../exit.ts";
import type { Io } from "../terminal/io.ts";
import { explainFailure } from "./rest.ts";

const PAGE = "index.html";
const LINK_PAGE = "link.html";
/** Files of the build that no server sends unchanged. */
const UNSENT = /^(?:index\.html|link\.html|stamp\.txt|preloads\.json|drawn\.\w+\.json)$/;
/** The address of the page behind a link; that page requests nothing before a click. */
const LINK = "/s/0000000000000000";

interface PageComparison {
  readonly path: string;
  readonly isSame: boolean;
}

/**
 * Fetches every page and every file of the pages.
 * @throws CliError usage where there is nothing to compare with; NotHushkit where something else answers, or nothing
 */
export async function comparePages(
  io: Io,
  base: string,
): Promise<{ compared: PageComparison[]; version: string | undefined; publicUrl: string }> {
  const { PLACES } = await import("../../adapters/places.ts");
  const names = await readdir(PLACES.pages, { recursive: true }).catch(() => []);
  const files = names.map((name) => name.replaceAll("\\", "/")).filter((name) => /\.[a-z0-9]+$/.test(name));
  if (!files.includes(PAGE))
    throw usageError("The pages to compare with are not built; `npm run build` builds them.");
  const instance = await readInstance(io, base);
  const publicUrl = publicUrlIn(await askForBytes(io, base + LINK), base);
  const languages = files.flatMap((file) => /^drawn\.(\w+)\.json$/.exec(file)?.[1] ?? []);
  const compared: PageComparison[] = [];
  for (const language of languages.sort((a, b) => Number(b === "en") - Number(a === "en"))) {
    const readOwn = (name: string) => readFile(new URL(name, PLACES.pages), "utf8");
    compared.push(...(await comparePagesIn(language, { io, base, publicUrl, instance, readOwn })));
  }
  for (const name of files.filter((each) => !UNSENT.test(each)).sort()) {
    const own = await readFile(new URL(name, PLACES.pages));
    compared.push({ path: `/${name}`, isSame: own.equals(await askForBytes(io, `${base}/${name}`)) });
  }
  return { compared, version: instance.version, publicUrl };
}

async function comparePagesIn(
  language: string,
  { io, base, publicUrl, instance, readOwn }: ComparedServer,
): Promise<readonly PageComparison[]> {
  // Written by the build.
  const drawn = JSON.parse(await readOwn(drawnFile(language))) as DrawnPages;
  const { tools } = instance;
  const pages = PAGE_NAMES.filter((name) => !tools || !TOOL_NAMES.includes(name) || tools.includes(name));
  const compared: PageComparison[] = [];
  for (const path of [...pages.map(pathOf), LINK]) {
    const name = pageAt(path);
    const shell = await readOwn(name === "link" ? LINK_PAGE : PAGE);
    const own = composePage({ shell, language, name, drawn, instance, publicUrl });
    const isSame = isPage(await askForBytes(io, base + path, language), own);
    compared.push({ path: language === "en" ? path : `${path} (${language})`, isSame });
  }
  return compared;
}

interface ComparedServer {
  readonly io: Io;
  readonly base: string;
  readonly publicUrl: string;
  readonly instance: Instance;
  /** Reads one of this program's own pages. */
  readonly readOwn: (name: string) => Promise<string>;
}

const NOT_SAID: Instance = {
  name: "Hushkit",
  notice: null,
  tools: undefined,
  anonymous: "all",
  passphrase: "optional",
  limits: {},
  registration: "open",
  login: [],
  oidc: null,
};

/** What a server says about itself, read before anything is compared. */
async function readInstance(io: Io, base: string): Promise<Instance> {
  const url = `${base}/api/instance`;
  const response = await ask(io, url);
  const text = await readBody(response, readAnswerText);
  if (!response.ok) {
    const failure = await explainFailure(new RestFailure(text, response), url, "GET");
    if (failure instanceof NotHushkit) throw failure;
    // A server older than this call has pages to compare too.
    return NOT_SAID;
  }
  const instance = readJson(text);
  const version = versionOf(instance);
  if (version === undefined) throw await explainAnswer(response, { url });
  return { ...NOT_SAID, ...(instance as Partial<Instance>), version };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Instance = SeenInstance & { readonly version?: string };

/** Empty for what a Hushkit does not have. @throws NotHushkit for an answer of something in between */
async function askForBytes(io: Io, url: string, language = "en"): Promise<Buffer> {
  const response = await ask(io, url, language);
  if (response.status === 404) return Buffer.alloc(0);
  const isPage = !/\.\w+$/.test(url);
  const isHtml = /^text\/html/i.test(response.headers.get("content-type") ?? "");
  // A web page instead of a script comes from something in between; instead of a page, it is compared.
  if (!isPage && isHtml && !response.headers.has("request-id")) throw await explainAnswer(response, { url });
  const data = await readBody(response, readAnswer);
  if (data === undefined) throw await explainAnswer(response, { url });
  return Buffer.from(data);
}

/** Requests something that may not exist. @throws NotHushkit; RestFailure for what a Hushkit refuses */
async function ask(io: Io, url: string, language = "en"): Promise<Response> {
  const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
  const headers = { accept, "accept-language": language };
  const response = await asNetwork(url, () => io.fetch(url, { headers, redirect: "manual" }));
  if (response.ok || response.status === 404) return response;
  const text = await readBody(response, readAnswerText);
  throw await explainFailure(new RestFailure(text, response), url, "GET");
}

function readBody<Body>(response: Response, read: (response: Response) => Promise<Body>): Promise<Body> {
  return asNetwork(response.url, () => read(response));
}

async function asNetwork<Result>(url: string, call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof TypeError ? await explainError(error, { url }) : error;
  }
}

/** Whether a page is the built one, except for words in a noscript element, which browsers with scripts ignore. */
function isPage(page: Buffer, own: string): boolean {
  const [head = "", tail = ""] = own.split(WITHOUT_SCRIPT);
  const text = page.toString("utf8");
  if (!text.startsWith(head) || !text.endsWith(tail) || text.length < head.length + tail.length) return false;
  const inside = text.slice(head.length, text.length - tail.length).trim();
  return /^<noscript>(?:(?!<\/?noscript)[^])*<\/noscript>$/i.test(inside);
}

/**
 * What a page calls its server, from the address of the picture for chats: a server may be asked by another name than
 * its own. Where it lies is never another path, from which the page would load its scripts.
 */
function publicUrlIn(page: Buffer, base: string): string {
  const [, url = base] =
    /property="og:image" content="([^"]+)\/preview\.png"/.exec(page.toString("utf8")) ?? [];
  const { origin, pathname } = parseUrl(url) ?? {};
  const path = new URL(base).pathname;
  return pathname === path && origin + path.replace(/\/$/, "") === url ? url : base;
}
