import { signal } from "@preact/signals";
import { instance } from "../app/instance.ts";
import { words } from "../app/language/words.ts";
import { keep, readKept } from "../app/paths/tab.ts";

const KEY = "notices";

/** Whether this browser shows notifications about secrets; no push server takes part. */
const permission = signal(readPermission());
/** A permission that this host got for something else does not count. */
const wasAsked = signal(readKept(KEY) !== undefined);
let count = 0;

/** Whether a page may keep asking while it is hidden. */
export function wantsNotices(): boolean {
  return permission.value === "granted" && wasAsked.value;
}

/**
 * Shows that a secret has ended, through the service worker where there is one, so that a click finds the page again.
 */
export async function showNotice(id: string, body: string): Promise<void> {
  addToBadge();
  if (!wantsNotices()) return;
  const options = { body, tag: id, icon: "icon-192.png", data: { url: location.href.split("#")[0] } };
  const worker = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  if (worker) return worker.showNotification(instance.value.name, options);
  const notice = new Notification(instance.value.name, options);
  notice.addEventListener("click", () => focus());
}

/** Asks for the permission to notify, or shows its state. */
export function NoticeChoice() {
  const t = words().shared.notice;
  if (permission.value === "missing") return null;
  if (permission.value === "denied") return <p class="hint">{t.denied}</p>;
  if (wantsNotices()) return <p class="hint">{t.on}</p>;
  const ask = async () => {
    keep(KEY, "1");
    wasAsked.value = true;
    await Notification.requestPermission();
    permission.value = readPermission();
  };
  return (
    <div class="actions">
      <button type="button" class="small" onClick={() => void ask()}>
        {t.ask}
      </button>
    </div>
  );
}

function readPermission(): NotificationPermission | "missing" {
  return "Notification" in globalThis ? Notification.permission : "missing";
}

/** The badge of installed pages (Badging API), which TypeScript's library has only for workers. */
interface NavigatorBadge {
  readonly setAppBadge?: (count: number) => Promise<void>;
  readonly clearAppBadge?: () => Promise<void>;
}

/** Counts an event that happened while the page was hidden, on the icon of the installed pages. */
function addToBadge(): void {
  if (!document.hidden) return;
  if (count === 0) document.addEventListener("visibilitychange", clearWhenSeen);
  count++;
  // Pages that are not installed have no icon.
  void (navigator as NavigatorBadge).setAppBadge?.(count).catch(() => undefined);
}

function clearWhenSeen(): void {
  if (document.hidden) return;
  document.removeEventListener("visibilitychange", clearWhenSeen);
  count = 0;
  void (navigator as NavigatorBadge).clearAppBadge?.().catch(() => undefined);
}
