/** Web Workers may be started from our own files and from nowhere else. */
interface ScriptUrls {
  readonly createScriptURL: (url: string) => string;
}

interface Factory {
  readonly createPolicy: (name: string, rules: ScriptUrls) => ScriptUrls;
}

// TypeScript's DOM library does not know trusted types yet; a browser may not either.
const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
const rules: ScriptUrls = { createScriptURL: ownUrl };
const policy = factory?.createPolicy("hushkit", rules) ?? rules;

/** A URL that the browser lets a worker be loaded from. */
export function scriptUrl(url: string): string {
  return policy.createScriptURL(url);
}

function ownUrl(url: string): string {
  const { origin, href } = new URL(url, location.href);
  if (origin !== location.origin) throw new TypeError("Scripts come from this server only");
  return href;
}

/** Keeps the pages in the browser, so that the local tools work without the server. */
export function registerServiceWorker(): void {
  if (!("serviceWorker" in navigator)) return;
  // Where it is forbidden (private windows, an exception for a bad certificate), the pages work all the same.
  addEventListener("load", () => {
    navigator.serviceWorker.register(scriptUrl("/offline.js")).catch(() => undefined);
  });
}
