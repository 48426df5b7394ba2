import type { Signal } from "@preact/signals";
import { MAX_LABEL_CHARACTERS } from "../../wire/limits.ts";
import { words } from "../app/language/words.ts";
import { TextField } from "../parts/field.tsx";
import { canLabel } from "./can-label.ts";

/** What a member calls a secret or a request; nobody else has a list that shows it. */
export function LabelField({ label }: { label: Signal<string> }) {
  if (!canLabel()) return null;
  const t = words().label;
  return <TextField label={t.field} hint={t.hint} value={label} maxLength={MAX_LABEL_CHARACTERS} />;
}
