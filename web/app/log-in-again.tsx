import { effect, signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { loginWanted } from "../account/login-wanted.ts";
import { pathOf } from "../../wire/pages.ts";
import { moreWords } from "./language/all-words.ts";
import { loadMoreWords } from "./language/words.ts";
import { hrefTo } from "./paths/base.ts";

const dialog = signal<ComponentType<{ onLogin: () => void; onClose: () => void }> | undefined>(undefined);

effect(() => {
  if (loginWanted.value && !dialog.peek()) void load();
});

async function load(): Promise<void> {
  try {
    const [{ LoginDialog }] = await Promise.all([
      import("../account/login-dialog.tsx"),
      loadMoreWords(moreWords),
    ]);
    dialog.value = LoginDialog;
  } catch {
    // Its file is gone after an update: elsewhere, so that what was typed stays.
    loginWanted.value = undefined;
    open(hrefTo(pathOf("account")), "_blank", "noopener");
  }
}

/** Has somebody whose login has ended log in over the page; outside of every form, as it has one. */
export function LogInAgain() {
  const [onLogin, Dialog] = [loginWanted.value, dialog.value];
  return onLogin && Dialog ? (
    <Dialog onLogin={onLogin} onClose={() => (loginWanted.value = undefined)} />
  ) : null;
}
