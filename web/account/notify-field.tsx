import type { Signal } from "@preact/signals";
import { secretLimits } from "../api/limits.ts";
import { words } from "../app/language/words.ts";
import { Check } from "../parts/field.tsx";

/** Whether a member's hooks are told what becomes of it; nobody else has hooks. */
export function NotifyField({ notify }: { notify: Signal<boolean> }) {
  return secretLimits.value.hasHooks ? <Check label={words().label.notify} value={notify} /> : null;
}
