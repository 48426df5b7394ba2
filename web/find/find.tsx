import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { isGuest } from "../app/paths/base.ts";
import { isApple } from "../app/browser.ts";
import { words } from "../app/language/words.ts";
import { currentPath, navigate } from "../app/paths/route.ts";
import { Icon } from "../parts/icon.tsx";

const dialog = signal<ComponentType<{ onClose: () => void }> | undefined>(undefined);

/** Makes Ctrl+K, or Cmd+K, open the search for pages, wherever the focus is. */
export function startFinder(): void {
  document.addEventListener("keydown", (event) => {
    const isControl = isApple() ? event.metaKey : event.ctrlKey;
    if (!isControl || event.altKey || event.shiftKey || event.key.toLowerCase() !== "k") return;
    // An open question is answered first, and people who were sent a link have no other pages.
    if (isGuest(currentPath.peek()) || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    void open();
  });
}

async function open(): Promise<void> {
  try {
    const { loadFinder } = await import("./find-dialog.tsx");
    dialog.value = await loadFinder();
  } catch {
    // Its files are gone after an update, or there is no network; this page lists the tools too.
    await navigate("/tools");
  }
}

/** The button that does the same, with its keys. */
export function FindButton() {
  const label = words().find.open;
  return (
    <button
      type="button"
      class="quiet find"
      aria-haspopup="dialog"
      aria-keyshortcuts={isApple() ? "Meta+K" : "Control+K"}
      onClick={() => void open()}
    >
      <Icon name="search" />
      <span class="word">{label}</span>
      <kbd>{isApple() ? "⌘" : words().common.keys.control} K</kbd>
    </button>
  );
}

/** The dialog, while it is open. Its code is loaded on first use. */
export function Finder() {
  const Dialog = dialog.value;
  return Dialog ? <Dialog onClose={() => (dialog.value = undefined)} /> : null;
}
