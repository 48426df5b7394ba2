import type { Signal } from "@preact/signals";
import { MAX_LABEL_CHARACTERS } from "../../wire/limits.ts";
import { words } from "../app/language/words.ts";
import { TextField, Check } from "../parts/field.tsx";
import { secretLimits } from "../api/limits.ts";
import { hrefTo } from "../app/paths/base.ts";
import { Note } from "../parts/note.tsx";
import { pathOf } from "../../wire/pages.ts";

/** A member's name for a secret or a request; only members have a list that shows it. */
export function LabelField({ label }: { label: Signal<string> }) {
  if (!canLabel()) return null;
  const t = words().label;
  return <TextField label={t.field} hint={t.hint} value={label} maxLength={MAX_LABEL_CHARACTERS} />;
}

/** Whether a member's hooks are told about it; only members have hooks. */
export function NotifyField({ notify }: { notify: Signal<boolean> }) {
  return secretLimits.value.hasHooks ? <Check label={words().label.notify} value={notify} /> : null;
}

/** Says that this instance reserves secrets for members, before anybody types one. */
export function MembersOnly() {
  const t = words().members;
  return (
    <Note title={t.title}>
      <p>{t.secrets}</p>
      <p>
        <a class="button primary" href={hrefTo(pathOf("account"))}>
          {t.login}
        </a>
      </p>
    </Note>
  );
}

/** Whether somebody is logged in, and the browser can encrypt a label and store its key. */
export function canLabel(): boolean {
  if (!secretLimits.value.isMember || globalThis.crypto?.subtle === undefined) return false;
  try {
    localStorage.getItem("");
    return true;
  } catch {
    return false;
  }
}
