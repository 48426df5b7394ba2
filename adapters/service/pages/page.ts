import { createHash } from "node:crypto";
import { FastResponse } from "srvx";
import { instanceOf } from "../../../router/procedures/instance.ts";
import type { Services } from "../../../router/context.ts";
import { composePage, drawnFile, pageAt, WITHOUT_SCRIPT, type DrawnPages } from "../../../wire/page-html.ts";
import { codingOf, packedFile, sendPackedText, type PackedFile } from "../../trpc/answer/compressed.ts";
import type { ServiceContext } from "../request-context.ts";
import type { Pages } from "./files.ts";
import { preferredLanguage, buildingPage, BUILDING_STYLE, withoutScript } from "./texts.ts";

const PAGE_POLICY = [
  "default-src 'none'",
  "img-src 'self' blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types hushkit",
].join("; ");

const BUILDING_POLICY = `default-src 'none'; style-src ${digestOf(BUILDING_STYLE)}; base-uri 'none'; frame-ancestors 'none'`;

interface PageContent {
  readonly pages: Pages;
  /** The part for browsers without scripts, where it differs from the common one. */
  readonly inside?: string;
  /** Whether search engines may list it. */
  readonly isListed?: boolean;
  /** What the page loads next. */
  readonly preloads?: readonly string[];
  readonly status?: number;
}

/** Shows the page at the path of a request. */
export async function showPage(context: ServiceContext, content: PageContent): Promise<Response> {
  const { pages, inside, preloads = [], isListed = false, status = 200 } = content;
  const name = status === 404 ? "not-found" : pageAt(context.url.pathname);
  const shell = pages.file(name === "link" ? "/link.html" : "/index.html");
  const headers = pageHeaders(context);
  if (!shell) return showBuilding(context, headers, pages.state());
  const page = await composed(context, { pages, name, shell });
  headers.set("Content-Security-Policy", page.policy);
  if (preloads.length > 0) headers.set("Link", preloads.join(", "));
  // Sent as a header, because the page has the same bytes on every instance.
  if (!isListed) headers.set("X-Robots-Tag", "noindex");
  if (inside === undefined) return sendReady(context, { file: page.file, status, headers });
  const text = page.html.replace(WITHOUT_SCRIPT, () => inside);
  return sendPackedText(context, { text, status, headers });
}

/** Nothing stores a page (see Cache-Control), so it has no tag. */
async function sendReady(
  context: ServiceContext,
  { file, status, headers }: { file: PackedFile; status: number; headers: Headers },
): Promise<Response> {
  const coding = codingOf(context, headers);
  if (!coding) return new FastResponse(await file.read(), { status, headers });
  headers.set("Content-Encoding", coding.name);
  return new FastResponse(await file.packed(coding), { status, headers });
}

interface PageTemplate {
  readonly shell: PackedFile;
  /** Without the words for browsers without scripts. */
  readonly html: string;
  readonly policy: string;
  /** With the words that are the same for everybody. */
  readonly file: PackedFile;
}

/** By language and name, for the next request. */
const known = new WeakMap<Services, Map<string, PageTemplate>>();

async function composed(
  context: ServiceContext,
  { pages, name, shell }: { pages: Pages; name: string; shell: PackedFile },
): Promise<PageTemplate> {
  const { services } = context;
  const language = languageOf(context);
  const ready = known.get(services) ?? new Map<string, PageTemplate>();
  known.set(services, ready);
  const key = `${language} ${name}`;
  const before = ready.get(key);
  if (before?.shell === shell) return before;
  const { publicUrl } = services;
  const [drawn, instance] = [await readDrawn(pages, language), instanceOf(services)];
  const html = composePage({ name, language, shell: await decode(shell), drawn, instance, publicUrl });
  const whole = html.replace(WITHOUT_SCRIPT, () => withoutScript(publicUrl, language));
  const file = packedFile(new TextEncoder().encode(whole));
  const page = { shell, html, policy: policyOf(html), file };
  ready.set(key, page);
  return page;
}

const read = new WeakMap<PackedFile, DrawnPages>();

async function readDrawn(pages: Pages, language: string): Promise<DrawnPages | undefined> {
  const file = pages.file(`/${drawnFile(language)}`);
  if (!file) return undefined;
  // Written by the build.
  const drawn = read.get(file) ?? (JSON.parse(await decode(file)) as DrawnPages);
  read.set(file, drawn);
  return drawn;
}

async function decode(file: PackedFile): Promise<string> {
  return new TextDecoder().decode(await file.read());
}

/** Scripts and styles inside the page are allowed by their digests. */
function policyOf(html: string): string {
  const [script = "", style = ""] = [/<script>([^]*?)<\/script>/, /<style>([^]*?)<\/style>/].map(
    (inside) => inside.exec(html)?.[1],
  );
  return `${PAGE_POLICY}; script-src 'self' ${digestOf(script)}; style-src 'self' ${digestOf(style)}`;
}

function digestOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

function pageHeaders(context: ServiceContext): Headers {
  const headers = new Headers(context.responseHeaders);
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Vary", "Accept, Accept-Language");
  headers.set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()");
  return headers;
}

function showBuilding(
  context: ServiceContext,
  headers: Headers,
  state: ReturnType<Pages["state"]>,
): Response {
  headers.set("Content-Security-Policy", BUILDING_POLICY);
  headers.set("Retry-After", "2");
  return new FastResponse(buildingPage(state, languageOf(context)), { status: 503, headers });
}

/** The language of the request. */
export function languageOf({ request }: ServiceContext): string {
  return preferredLanguage(request.headers.get("accept-language"));
}
