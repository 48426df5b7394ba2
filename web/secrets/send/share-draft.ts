import type { Signal } from "@preact/signals";
import { instance } from "../../app/instance.ts";
import { useDraft } from "../../app/paths/history.ts";
import { takePendingText } from "../../files/incoming.ts";
import { lifetimeSeconds, useLifetime, type Lifetime } from "./lifetime.tsx";
import { canEncrypt } from "../../app/browser.ts";
import type { EncryptionSide, SecretInput } from "./share.ts";

/** What a person has entered to share a secret; Back restores it. */
export interface ShareDraft {
  readonly text: Signal<string>;
  readonly files: Signal<readonly File[]>;
  readonly lifetime: Lifetime;
  readonly passphrase: Signal<string>;
  readonly label: Signal<string>;
  /** Whether the member's hooks are told about it. */
  readonly notify: Signal<boolean>;
  readonly sealing: Signal<EncryptionSide>;
  /** One name per line, each for a link. */
  readonly people: Signal<string>;
}

export function useShareDraft(): ShareDraft {
  return {
    text: useDraft("text", takePendingText()),
    files: useDraft<readonly File[]>("files", []),
    lifetime: useLifetime(),
    passphrase: useDraft("passphrase", ""),
    label: useDraft("label", ""),
    notify: useDraft("notify", true),
    sealing: useDraft<EncryptionSide>("sealing", canEncrypt() ? "here" : "server"),
    people: useDraft("people", ""),
  };
}

export function readDraft({
  text,
  files,
  lifetime,
  passphrase,
  label,
  notify,
  sealing,
}: ShareDraft): SecretInput {
  return {
    text: text.value,
    files: files.value,
    expires: lifetimeSeconds(lifetime) ?? instance.value.limits.secretExpiresDefault,
    passphrase: passphrase.value,
    label: label.value,
    notify: notify.value,
    sealing: sealing.value,
  };
}

/** Deletes the secret once it is stored. */
export function clearDraft({ text, files, passphrase, label, people }: ShareDraft): void {
  files.value = [];
  text.value = passphrase.value = label.value = people.value = "";
}

/** The names that were typed, one per line; equal names get a link each. */
export function readPeople(lines: string): readonly string[] {
  return lines
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** Whether more than so many names were typed, of which no more are read. */
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
