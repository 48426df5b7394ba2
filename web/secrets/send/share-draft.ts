import { instance } from "../../app/instance.ts";
import { useDraft } from "../../app/paths/history.ts";
import { takePendingText } from "../../files/incoming.ts";
import { lifetimeSeconds, useLifetime } from "./lifetime.tsx";
import { canEncrypt } from "../../app/browser.ts";
import type { EncryptionSide, SecretInput } from "./share.ts";

export type ShareDraft = ReturnType<typeof useShareDraft>;

/** What a person has entered to share a secret; Back restores it. */
export function useShareDraft() {
  return {
    text: useDraft("text", takePendingText()),
    files: useDraft<readonly File[]>("files", []),
    lifetime: useLifetime(),
    passphrase: useDraft("passphrase", ""),
    label: useDraft("label", ""),
    /** Whether the member's hooks are told about it. */
    notify: useDraft("notify", true),
    sealing: useDraft<EncryptionSide>("sealing", canEncrypt() ? "here" : "server"),
    /** One name per line, each for a link. */
    people: useDraft("people", ""),
  };
}

export function readDraft(draft: ShareDraft): SecretInput {
  return {
    text: draft.text.value,
    files: draft.files.value,
    expires: lifetimeSeconds(draft.lifetime) ?? instance.value.limits.secretExpiresDefault,
    passphrase: draft.passphrase.value,
    label: draft.label.value,
    notify: draft.notify.value,
    sealing: draft.sealing.value,
  };
}

/** Deletes what was sent once it is stored; files that were added meanwhile stay. */
export function clearDraft(draft: ShareDraft, sent: SecretInput): void {
  const { text, files, passphrase, label, people } = draft;
  files.value = files.value.filter((file) => !sent.files.includes(file));
  text.value = passphrase.value = label.value = people.value = "";
}

/** The names that were typed, one per line; equal names get a link each. */
export function readPeople(lines: string): readonly string[] {
  return lines
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Whether more than `most` names were typed; the names after that are not read. */
export function areMoreThan(most: number, lines: string): boolean {
  let count = 0;
  for (let from = 0; from <= lines.length;) {
    const found = lines.indexOf("\n", from);
    const end = found < 0 ? lines.length : found;
    if (lines.slice(from, end).trim() !== "" && ++count > most) return true;
    from = end + 1;
  }
  return false;
}
