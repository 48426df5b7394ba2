import type { NewSecret } from "../../db/secrets.ts";

/** Bytes that are easy to tell from others. */
export function bytes(fill: number, length = 32): Uint8Array<ArrayBuffer> {
  return new Uint8Array(length).fill(fill);
}

/** A secret to insert, sound but for what the test says. */
export function newSecret(changes: Partial<NewSecret> = {}) {
  return {
    id: makeId(),
    verifier: bytes(1),
    passVerifier: null,
    revokeHash: bytes(3),
    sealed: bytes(4, 60),
    created: 1_000,
    expiry: 2_000,
    isEncrypted: false,
    owner: null,
    ...changes,
  };
}

let made = 0;
/** Sixteen base62 characters that no other test has, and no order in them. */
function makeId(): string {
  made += 1;
  return crypto.randomUUID().replaceAll("-", "").slice(0, 11) + String(made).padStart(5, "0");
}
