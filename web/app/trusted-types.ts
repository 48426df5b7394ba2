import { hrefTo } from "./paths/base.ts";

/** Workers may be started only from our own files. */
interface ScriptUrls {
  readonly createScriptURL: (url: string) => string;
}

// TypeScript's DOM library has no trusted types yet, and some browsers have none.
const factory = (
  globalThis as { trustedTypes?: { createPolicy: (name: string, rules: ScriptUrls) => ScriptUrls } }
).trustedTypes;
const rules: ScriptUrls = { createScriptURL: ownUrl };
const policy = factory?.createPolicy("hushkit", rules) ?? rules;

/** A URL from which the browser allows a worker to be loaded. */
export function scriptUrl(url: string): string {
  return policy.createScriptURL(url);
}

function ownUrl(url: string): string {
  const { origin, href } = new URL(url, location.href);
  if (origin !== location.origin) throw new TypeError("Scripts come from this server only");
  return href;
}

/** Caches the pages, so that the local tools work offline. */
export function registerServiceWorker(): void {
  if (!("serviceWorker" in navigator)) return;
  // Private windows and certificate exceptions forbid it; the pages work without it.
  const register = () =>
    void navigator.serviceWorker.register(scriptUrl(hrefTo("/offline.js"))).catch(() => undefined);
  // After everything that the page itself needs.
  if (document.readyState === "complete") register();
  else addEventListener("load", register);
}
