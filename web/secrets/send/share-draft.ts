import type { Signal } from "@preact/signals";
import { DEFAULT_SECRET_SECONDS } from "../../../wire/limits.ts";
import { useDraft } from "../../app/draft.ts";
import { takePendingText } from "../../files/pending-files.ts";
import { lifetimeSeconds, useLifetime, type Lifetime } from "./lifetime.tsx";
import { canEncrypt } from "../../app/can-encrypt.ts";
import type { EncryptionSide, SecretInput } from "./share.ts";

/** What a person has entered to share a secret; Back brings it back. */
export interface ShareDraft {
  readonly text: Signal<string>;
  readonly file: Signal<File | undefined>;
  readonly lifetime: Lifetime;
  readonly passphrase: Signal<string>;
  readonly label: Signal<string>;
  readonly sealing: Signal<EncryptionSide>;
}

export function useShareDraft(): ShareDraft {
  return {
    text: useDraft("text", takePendingText()),
    file: useDraft<File | undefined>("file", undefined),
    lifetime: useLifetime(),
    passphrase: useDraft("passphrase", ""),
    label: useDraft("label", ""),
    sealing: useDraft<EncryptionSide>("sealing", canEncrypt() ? "here" : "server"),
  };
}

export function readDraft({ text, file, lifetime, passphrase, label, sealing }: ShareDraft): SecretInput {
  return {
    text: text.value,
    file: file.value,
    expires: lifetimeSeconds(lifetime) ?? DEFAULT_SECRET_SECONDS,
    passphrase: passphrase.value,
    label: label.value,
    sealing: sealing.value,
  };
}

/** Forgets the secret once it is stored. */
export function clearDraft({ text, file, passphrase, label }: ShareDraft): void {
  file.value = undefined;
  text.value = passphrase.value = label.value = "";
}
