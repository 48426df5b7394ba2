/** What a browser puts on the icon of installed pages (Badging API); TypeScript's library has it only for workers. */
interface NavigatorBadge {
  readonly setAppBadge?: (count: number) => Promise<void>;
  readonly clearAppBadge?: () => Promise<void>;
}

let count = 0;

/** Counts something that happened while nobody looked, on the icon of the installed pages. */
export function addToBadge(): void {
  if (!document.hidden) return;
  if (count === 0) document.addEventListener("visibilitychange", clearWhenSeen);
  count++;
  // Where the pages are not installed there is no icon.
  void (navigator as NavigatorBadge).setAppBadge?.(count).catch(() => undefined);
}

function clearWhenSeen(): void {
  if (document.hidden) return;
  document.removeEventListener("visibilitychange", clearWhenSeen);
  count = 0;
  void (navigator as NavigatorBadge).clearAppBadge?.().catch(() => undefined);
}
