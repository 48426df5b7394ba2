import { adoptKeyCheck, replaceKeyCheck, type RenewedSeeds } from "../db/installation.ts";
import type { Database } from "../db/open.ts";
import { decryptGcm, sealGcm } from "../tools/crypto/aes-gcm.ts";
import { systemRandom } from "../tools/crypto/base62.ts";
import { equalBytes } from "../tools/crypto/equal-bytes.ts";
import { hkdfFrom, keyedDigest } from "../tools/crypto/key-derivation.ts";
import { concatBytes, utf8, type Bytes } from "../wire/bytes.ts";

/** The length of an instance's key, which is stored outside the database. */
const INSTANCE_KEY_BYTES = 32;
/** The length of an authenticator app's seed: that of the digest, as RFC 4226 says. */
export const SEED_BYTES = 20;

const SALT = "hushkit instance key";
const IV_BYTES = 12;

/** Keys derived from the instance's key: one for each purpose, so that none can replace another. */
export interface InstanceKeys {
  /** HMAC of addresses and names, which the database never stores otherwise. */
  readonly digest: (text: string) => Bytes;
  /** HMAC of challenges that passkeys sign. */
  readonly challenge: (text: string) => Bytes;
  /** HMAC of the input of a repeatable account call, which contains passwords. */
  readonly call: (text: string) => Bytes;
  /** Encrypts what a browser stores during a login at the provider. */
  readonly loginFlow: Bytes;
  /** Encrypts the seeds of authenticator apps. */
  readonly seeds: Bytes;
  /** Encrypts the URLs and signing secrets of members' hooks. */
  readonly hooks: Bytes;
  /** By this value the database recognizes the key. It reveals nothing about the key or what else is derived. */
  readonly check: Bytes;
}

/** A new key for an instance. */
export function makeInstanceKey(): Bytes {
  return systemRandom(new Uint8Array(INSTANCE_KEY_BYTES));
}

/** Derives a key for each purpose by HKDF-SHA-256 (RFC 5869). */
export function deriveInstanceKeys(instanceKey: Bytes): InstanceKeys {
  const derive = hkdfFrom(instanceKey, SALT);
  const keyFor = (purpose: string) => derive(purpose, INSTANCE_KEY_BYTES);
  return {
    digest: keyedDigest(keyFor("digests")),
    challenge: keyedDigest(keyFor("passkey challenges")),
    call: keyedDigest(keyFor("calls of accounts")),
    loginFlow: keyFor("login flows"),
    seeds: keyFor("seeds of authenticator apps"),
    hooks: keyFor("hooks of members"),
    check: keyedDigest(keyFor("check"))("This database is sealed with this key."),
  };
}

/** Whether a database with this check value is encrypted with this key. */
export function isKeyOf(instanceKey: Bytes, check: Bytes): boolean {
  return equalBytes(deriveInstanceKeys(instanceKey).check, check);
}

/** The target of a member's hook: the URL may contain a key of its own, and the secret signs what is sent. */
export interface HookTarget {
  readonly url: string;
  /** `whsec_` and base64; only the standard form is signed. */
  readonly secret: string | null;
}

/** Encrypts a hook's target in the same way; it can be decrypted for this hook only. */
export async function sealHookTarget(
  { url, secret }: HookTarget,
  id: string,
  keys: Pick<InstanceKeys, "hooks">,
): Promise<Bytes> {
  return sealFor(utf8(JSON.stringify({ url, secret })), keys.hooks, id);
}

/** Decrypts a hook's target; undefined where it was encrypted with another key or for another hook, or was changed. */
export async function openHookTarget(
  stored: Bytes,
  id: string,
  keys: Pick<InstanceKeys, "hooks">,
): Promise<HookTarget | undefined> {
  const opened = await openFor(stored, keys.hooks, id);
  // What our own key decrypts was written here.
  return opened && (JSON.parse(new TextDecoder().decode(opened)) as HookTarget);
}

/** Encrypts bytes with AES-256-GCM: iv, ciphertext and tag. They can be decrypted for this owner only. */
export async function sealFor(data: Bytes, key: Bytes, owner: string): Promise<Bytes> {
  const iv = systemRandom(new Uint8Array(IV_BYTES));
  return concatBytes(iv, await sealGcm(data, { key, iv, additionalData: utf8(owner) }));
}

/** Decrypts them; undefined where they were encrypted with another key or for another owner, or were changed. */
export async function openFor(stored: Bytes, key: Bytes, owner: string): Promise<Bytes | undefined> {
  const [iv, sealed] = [stored.slice(0, IV_BYTES), stored.slice(IV_BYTES)];
  try {
    // Copied, because the runtime's ciphers return views on their own buffers.
    return new Uint8Array(await decryptGcm(sealed, { key, iv, additionalData: utf8(owner) }));
  } catch {
    return undefined;
  }
}

/**
 * Binds a database to a key: the first key becomes its own, and encrypts what an older version stored openly. Returns
 * false and changes nothing where the database has another key.
 */
export function adoptInstanceKey(db: Database, keys: InstanceKeys): Promise<boolean> {
  return adoptKeyCheck(db, keys.check, {
    openBytes: SEED_BYTES,
    seal: (seed, member) => sealFor(seed, keys.seeds, member),
  });
}

/**
 * Encrypts a database with another key, in a transaction while nobody else works on it. Returns undefined and changes
 * nothing where it was encrypted with neither of the two, unless the old key is given up as `isLost`: seeds that only
 * the old key decrypts stay, so that their members are still asked for a second factor.
 */
export function replaceInstanceKey(
  trx: Parameters<typeof replaceKeyCheck>[0],
  { from, to, isLost }: { from: Bytes | undefined; to: Bytes; isLost: boolean },
): Promise<RenewedSeeds | undefined> {
  const keys = { from: from && deriveInstanceKeys(from), to: deriveInstanceKeys(to) };
  return replaceKeyCheck(trx, {
    from: isLost ? undefined : keys.from?.check,
    to: keys.to.check,
    renew: async (stored, member) => {
      // An older version stored it unencrypted.
      const isPlain = stored.length === SEED_BYTES;
      const seed = isPlain ? stored : keys.from && (await openFor(stored, keys.from.seeds, member));
      return seed && sealFor(seed, keys.to.seeds, member);
    },
    renewHook: async (stored, id) => {
      const target = keys.from && (await openHookTarget(stored, id, keys.from));
      return target && sealHookTarget(target, id, keys.to);
    },
  });
}
