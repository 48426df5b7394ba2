import { effect, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { strays, type Arrived } from "./arriving.ts";

type Dialog = ComponentType<{ arrived: Arrived; onClose: () => void }>;

const dialog = signal<Dialog | undefined>(undefined);

effect(() => {
  if (strays.value && !dialog.peek()) void load();
});

async function load(): Promise<void> {
  try {
    dialog.value = (await import("./stray-dialog.tsx")).StrayDialog;
  } catch {
    // Its file is gone after an update; the person still has theirs.
    strays.value = undefined;
  }
}

/** Asks what to do with files that have come to a page which takes none. */
export function StrayFiles() {
  const [arrived, Shown] = [strays.value, dialog.value];
  return arrived && Shown ? <Shown arrived={arrived} onClose={() => (strays.value = undefined)} /> : null;
}
