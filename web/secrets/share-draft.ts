import type { Signal } from "@preact/signals";
import { useDraft } from "../app/draft.ts";
import { lifetimeSeconds, type Lifetime } from "./lifetime.tsx";
import { canEncrypt, type EncryptionSide, type SecretInput } from "./share.ts";

const DEFAULT_SECONDS = 86_400;

/** What a person has entered to share a secret; Back brings it back. */
export interface ShareDraft {
  readonly text: Signal<string>;
  readonly lifetime: Lifetime;
  readonly passphrase: Signal<string>;
  readonly sealing: Signal<EncryptionSide>;
}

export function useShareDraft(): ShareDraft {
  return {
    text: useDraft("text", ""),
    lifetime: {
      choice: useDraft("choice", String(DEFAULT_SECONDS)),
      amount: useDraft("amount", "2"),
      unit: useDraft<Lifetime["unit"]["value"]>("unit", "hours"),
    },
    passphrase: useDraft("passphrase", ""),
    sealing: useDraft<EncryptionSide>("sealing", canEncrypt() ? "here" : "server"),
  };
}

export function readDraft({ text, lifetime, passphrase, sealing }: ShareDraft): SecretInput {
  return {
    text: text.value,
    expires: lifetimeSeconds(lifetime) ?? DEFAULT_SECONDS,
    passphrase: passphrase.value,
    sealing: sealing.value,
  };
}

/** Forgets the secret once it is stored. */
export function clearDraft({ text, passphrase }: ShareDraft): void {
  text.value = passphrase.value = "";
}
