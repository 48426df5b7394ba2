import { FastResponse } from "srvx";
import type { Services } from "../../../router/context.ts";
import { ApiError } from "../../../router/errors/errors.ts";
import { FIRST_PAGES, PAGE_NAMES, pathOf, TOOL_NAMES, type PageName } from "../../../wire/pages.ts";
import { sendPacked, type PackedFile } from "../../trpc/answer/compressed.ts";
import type { Handle as AnyHandle } from "../../trpc/request.ts";
import { notFound } from "../explain-error.ts";
import type { ServiceRoute, ServiceContext } from "../request-context.ts";
import type { Pages } from "./files.ts";
import { languageOf, showPage } from "./page.ts";
import { helpText, openWithoutScript } from "./texts.ts";

type Handle = AnyHandle<ServiceContext>;

// A worker has the policy of its script: only there may WebAssembly be compiled (digests, AVIF, fonts of PDFs).
const WORKER_POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'";

/** The service worker, and scripts that pages start as workers. */
const WORKERS = /^\/(?:offline|assets\/(?:pdf\.)?worker\b[\w.-]*)\.js$/;

/** Files of the pages with fixed names. */
const FILES = [
  ...["/offline.js", "/manifest.webmanifest"],
  ...["/favicon.svg", "/icon-192.png", "/icon-512.png", "/icon-maskable.png", "/preview.png"],
  ...["/screenshot-wide.webp", "/screenshot-narrow.webp"],
];

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  png: "image/png",
  mjs: "text/javascript; charset=utf-8",
  svg: "image/svg+xml; charset=utf-8",
  wasm: "application/wasm",
  webp: "image/webp",
  webmanifest: "application/manifest+json",
  woff2: "font/woff2",
};

/** The "#" and the key of a link that a gateway has moved into the path, with or without a slash before them. */
const MOVED_KEY = /^(?:collect)?(?:#|%(?:25)*23)/i;

/** The routes of browsers: the pages, their files, and the page behind a link. */
export function pageRoutes(
  pages: Pages,
  { tools, isIndexed = false }: Pick<Services, "tools"> & { isIndexed?: boolean | undefined },
): ServiceRoute[] {
  const show: Handle = (context) => {
    const isListed = isIndexed && LISTED.some((name) => pathOf(name) === context.url.pathname);
    return showPage(context, { pages, isListed, preloads: preloadsOf(context, pages) });
  };
  const start: Handle = (context, params) => (wantsHtml(context) ? show(context, params) : showHelp(context));
  const open: Handle = (context, { link = "", moved = "" }) => {
    const words = {
      link: link + moved,
      publicUrl: context.services.publicUrl,
      language: languageOf(context),
    };
    return showPage(context, { pages, inside: openWithoutScript(words) });
  };
  const ifMoved =
    (handle: Handle): Handle =>
    (context, params) => {
      if (isRead(context) && MOVED_KEY.test(params["moved"] ?? "")) return handle(context, params);
      return showMissing(context, pages);
    };
  return [
    ...PAGE_NAMES.filter((name) => name !== "received")
      .filter((name) => !TOOL_NAMES.includes(name) || tools.has(name))
      .map((name) => get(pathOf(name), name === "share" ? start : show)),
    { method: "POST", path: pathOf("received"), handle: showNotReceived },
    get(pathOf("received"), (context, params) =>
      isForeignShare(context) ? showNotReceived(context) : show(context, params),
    ),
    get("/robots.txt", showRobots),
    get("/s/:link", open),
    { method: "*", path: "/s/:link/:moved", handle: ifMoved(open) },
    get("/r/:id", show),
    { method: "*", path: "/r/:id/:moved", handle: ifMoved(show) },
    get("/r/:id/collect", show),
    { method: "*", path: "/r/:id/collect/:moved", handle: ifMoved(show) },
    get("/assets/:name", (context, { name }) => sendFile(context, pages.file(`/assets/${name}`))),
    ...FILES.map((path) => get(path, (context) => sendFile(context, pages.file(path)))),
  ];
}

/** Shows a person at an unknown path where to go; programs get an error. @throws ApiError not_found */
export function showMissing(context: ServiceContext, pages: Pages): Promise<Response> {
  const isPerson = isRead(context) && wantsHtml(context) && !/^\/(api|trpc)\b/.test(context.url.pathname);
  if (!isPerson) throw notFound();
  return showPage(context, { pages, status: 404 });
}

function isRead({ request }: ServiceContext): boolean {
  return ["GET", "HEAD"].includes(request.method);
}

/** The pages that everybody can see without an account, and find. */
const LISTED: readonly PageName[] = PAGE_NAMES.filter(
  (name) => !["account", "members", "received"].includes(name),
);

/**
 * Paths that robots need not request (RFC 9309). Pages are not among them: a robot that may not load a page would not
 * learn that it must not be listed, nor get the preview that chats show.
 */
function showRobots(context: ServiceContext): Response {
  const headers = new Headers(context.responseHeaders);
  headers.set("Content-Type", "text/plain; charset=utf-8");
  const basePath = context.services.basePath;
  const text = `User-agent: *\nDisallow: ${basePath}/api/\nDisallow: ${basePath}/trpc/\n`;
  return new FastResponse(text, { headers });
}

function get(path: string, handle: Handle): ServiceRoute {
  return { method: "GET", path, handle };
}

// The service worker stores what a form has brought, under the name in the address. For the system's share sheet
// Sec-Fetch-Site is "none"; where another site sent the form, the page must not learn the name, and then it gets
// nothing.
function isForeignShare({ request, url }: ServiceContext): boolean {
  if (!url.searchParams.has("shared")) return false;
  return !["none", "same-origin"].includes(request.headers.get("sec-fetch-site") ?? "");
}

// What a device shares stays in its browser. Where the service worker is gone, the form arrives here.
function showNotReceived(context: ServiceContext): Response {
  const headers = new Headers(context.responseHeaders);
  headers.set("Location", context.services.basePath + pathOf("received"));
  return new FastResponse(null, { status: 303, headers });
}

function wantsHtml({ request }: ServiceContext): boolean {
  return (request.headers.get("accept") ?? "").includes("text/html");
}

function showHelp(context: ServiceContext): Response {
  const headers = new Headers(context.responseHeaders);
  headers.set("Content-Type", "text/plain; charset=utf-8");
  headers.set("Vary", "Accept");
  return new FastResponse(helpText(context.services.publicUrl), { headers });
}

/**
 * Links in the head of the answer (RFC 8288), so that a browser need not run one script to learn of the next, which
 * takes a quarter of a second on a slow network.
 */
function preloadsOf(context: ServiceContext, pages: Pages): string[] {
  const path = context.url.pathname;
  const basePath = context.services.basePath;
  const page = PAGE_NAMES.find((name) => pathOf(name) === path);
  const needsMore = page !== undefined && !FIRST_PAGES.includes(page);
  const language = languageOf(context);
  const names = [
    `pages/${page ?? ""}`,
    `words/core/${language}`,
    ...(needsMore ? [`words/more/${language}`] : []),
  ];
  const scripts = [...new Set(names.flatMap(pages.scripts))].filter((file) => !file.endsWith(".css"));
  const instance = `<${basePath}/api/instance>; rel=preload; as=fetch; crossorigin`;
  const links = scripts.map((file) => `<${basePath}/${file}>; rel=modulepreload`);
  const document = `<${basePath}/api/openapi.json>; rel=preload; as=fetch; crossorigin`;
  return path === pathOf("docs") ? [document, instance, ...links] : [instance, ...links];
}

async function sendFile(context: ServiceContext, file: PackedFile | undefined): Promise<Response> {
  if (!file) throw new ApiError("not_found", "There is nothing at this path");
  const { pathname } = context.url;
  const headers = new Headers(context.responseHeaders);
  headers.set("Content-Type", TYPES[pathname.split(".").at(-1) ?? ""] ?? "application/octet-stream");
  // Names under /assets contain a digest of the content.
  const isForever = pathname.startsWith("/assets/");
  headers.set("Cache-Control", isForever ? "public, max-age=31536000, immutable" : "no-cache");
  if (WORKERS.test(pathname)) headers.set("Content-Security-Policy", WORKER_POLICY);
  // Dashboards show icons, and chats the preview.
  if (/\.(?:png|svg|webp)$/.test(pathname)) headers.set("Cross-Origin-Resource-Policy", "cross-origin");
  return sendPacked(context, file, headers);
}
