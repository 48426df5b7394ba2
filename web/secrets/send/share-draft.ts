import type { Signal } from "@preact/signals";
import { instance } from "../../app/instance.ts";
import { useDraft } from "../../app/paths/history.ts";
import { takePendingText } from "../../files/pending-files.ts";
import { lifetimeSeconds, useLifetime, type Lifetime } from "./lifetime.tsx";
import { canEncrypt } from "../../app/browser.ts";
import type { EncryptionSide, SecretInput } from "./share.ts";

/** What a person has entered to share a secret; Back brings it back. */
export interface ShareDraft {
  readonly text: Signal<string>;
  readonly files: Signal<readonly File[]>;
  readonly lifetime: Lifetime;
  readonly passphrase: Signal<string>;
  readonly label: Signal<string>;
  /** Whether hooks of the member's are told what becomes of it. */
  readonly notify: Signal<boolean>;
  readonly sealing: Signal<EncryptionSide>;
  /** A name on each line, for a link each. */
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

/** Forgets the secret once it is stored. */
export function clearDraft({ text, files, passphrase, label, people }: ShareDraft): void {
  files.value = [];
  text.value = passphrase.value = label.value = people.value = "";
}
