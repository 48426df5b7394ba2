// The service worker. It caches the pages themselves, and nothing of the API or of a link to a secret.
/// <reference lib="webworker" />

import { pathOf } from "../wire/pages.ts";
import { SHARED } from "./received/handover.ts";
import { handOver, keepShared } from "./received/keep-shared.ts";

declare const __FILES__: readonly string[];
declare const __HEAVY__: readonly string[];

// The project's types are those of a page; here the global object is the worker's.
const worker = globalThis as unknown as ServiceWorkerGlobalScope;
// Everything else is beside this file: the base path, with a slash at its end.
const BASE = new URL(".", worker.location.href).pathname;
const SHELL = BASE;
const FILES = __FILES__.map((file) => BASE + file);
const HEAVY = __HEAVY__.map((file) => BASE + file);
const ALL = [...FILES, ...HEAVY];
const ASSETS = `${BASE}assets/`;
// All pages of a host share its caches, also those of other programs under other paths.
const CACHES = `hushkit ${BASE} `;
// File names contain a digest, so this list changes with every version.
const CACHE = CACHES + digestOf(ALL.join());

worker.addEventListener("install", (event) => event.waitUntil(precache()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("message", handOver);
worker.addEventListener("notificationclick", (event) => event.waitUntil(showSender(event.notification)));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (isShared(request, url)) event.respondWith(keepShared(request));
  if (request.method !== "GET" || url.origin !== worker.location.origin) return;
  // Only a request of the browser itself says which site started it; a worker's request does not.
  if (isJudged(url)) return;
  if (request.mode === "navigate") {
    if (isCachedPage(url.pathname)) event.respondWith(showPage(request));
  } else if (ALL.includes(url.pathname) || url.pathname.startsWith(ASSETS)) {
    event.respondWith(showFile(request));
  }
});

function isShared({ method, mode }: Request, url: URL): boolean {
  return isReceiving(url) && method === "POST" && mode === "navigate";
}

function isReceiving({ origin, pathname }: URL): boolean {
  return origin === worker.location.origin && pathname === BASE + pathOf("received").slice(1);
}

// Without a network no other site can send anything, and files can still be shared with the pages.
function isJudged(url: URL): boolean {
  return isReceiving(url) && url.searchParams.has(SHARED) && worker.navigator.onLine;
}

async function precache(): Promise<void> {
  const cache = await caches.open(CACHE);
  const shell = await fetch(SHELL, { headers: { accept: "text/html" } });
  if (!shell.ok) throw new Error("The pages are not there yet");
  const headers = new Headers(shell.headers);
  // Without a network nothing can be preloaded, and what can be cached already is.
  headers.delete("link");
  await cache.put(SHELL, new Response(shell.body, { headers }));
  await cache.addAll(FILES);
  await worker.skipWaiting();
}

async function activate(): Promise<void> {
  const [, ...older] = await cachesBefore();
  await Promise.all(older.map((name) => caches.delete(name)));
  await worker.clients.claim();
  const cache = await caches.open(CACHE);
  // Not awaited: thumbnails and codecs are optional, so an interrupted download does no harm.
  void cache.addAll(HEAVY).catch(() => undefined);
}

// The page of a secret is never cached, because the server writes a form without scripts into it.
function isCachedPage(path: string): boolean {
  return (
    path.startsWith(BASE) &&
    !/^(api|trpc|s|r|assets|healthz|readyz|version)(\/|$)/.test(path.slice(BASE.length))
  );
}

async function showPage(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(SHELL, { cacheName: CACHE, ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}

/** Shows the page that a notification is about, where it is still open, or else the start page. */
async function showSender(notification: Notification): Promise<void> {
  notification.close();
  const { url } = notification.data as { url: string };
  const pages = await worker.clients.matchAll({ type: "window" });
  const page = pages.find((each) => each.url.split("#")[0] === url);
  if (page) await page.focus();
  else await worker.clients.openWindow(BASE);
}

/** A page that was open before an update goes on with the files of its own version. */
async function showFile(request: Request): Promise<Response> {
  const keptIn = (cacheName: string) => caches.match(request, { cacheName, ignoreVary: true });
  let kept = await keptIn(CACHE);
  for (const cacheName of kept ? [] : await cachesBefore()) kept ??= await keptIn(cacheName);
  return kept ?? fetch(request);
}

/** The caches of versions before this one, the latest first. */
async function cachesBefore(): Promise<string[]> {
  const names = (await caches.keys()).filter((name) => name.startsWith(CACHES) && name !== CACHE);
  return names.reverse();
}

function digestOf(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash.toString(36);
}
