// The formats of docs/formats.md written once more, on node:crypto alone: it shares no code with tools/.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
} from "node:crypto";

export function hkdf(ikm: Uint8Array, { salt, info }: { salt: string; info: string }, length = 32): Buffer {
  return Buffer.from(hkdfSync("sha256", ikm, Buffer.from(salt), Buffer.from(info), length));
}

interface Gcm {
  readonly key: Uint8Array;
  readonly iv: Uint8Array;
  readonly aad: Uint8Array;
}

export function encrypt(text: Uint8Array, { key, iv, aad }: Gcm): Buffer {
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(aad);
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

export function decrypt(sealed: Uint8Array, { key, iv, aad }: Gcm): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", key, iv).setAAD(aad);
  decipher.setAuthTag(sealed.subarray(-16));
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
}

export interface RawKeys {
  readonly privateKey: Uint8Array;
  readonly publicKey: Uint8Array;
}

interface HpkeOptions {
  readonly info: string;
  readonly aad: string;
}

/** RFC 9180, base mode with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM, from its pseudocode. */
export function openHpke(
  sealed: Uint8Array,
  { recipient, info, aad }: HpkeOptions & { recipient: RawKeys },
): Buffer {
  const enc = sealed.subarray(0, 32);
  const shared = diffieHellman({ privateKey: privateOf(recipient), publicKey: publicOf(enc) });
  const secret = sharedSecret(shared, { enc, publicKey: recipient.publicKey });
  return decrypt(sealed.subarray(32), { ...schedule(secret, info), aad: Buffer.from(aad) });
}

/** The same, sealing with an ephemeral key that is given. */
export function sealHpke(
  text: Uint8Array,
  { publicKey, ephemeral, info, aad }: HpkeOptions & { publicKey: Uint8Array; ephemeral: RawKeys },
): Buffer {
  const shared = diffieHellman({ privateKey: privateOf(ephemeral), publicKey: publicOf(publicKey) });
  const secret = sharedSecret(shared, { enc: ephemeral.publicKey, publicKey });
  const sealed = encrypt(text, { ...schedule(secret, info), aad: Buffer.from(aad) });
  return Buffer.concat([ephemeral.publicKey, sealed]);
}

const KEM_ID = Buffer.concat([Buffer.from("KEM"), Buffer.from([0, 0x20])]);
const SUITE_ID = Buffer.concat([Buffer.from("HPKE"), Buffer.from([0, 0x20, 0, 1, 0, 2])]);

// RFC 9180, 4.1
function sharedSecret(
  shared: Buffer,
  { enc, publicKey }: { enc: Uint8Array; publicKey: Uint8Array },
): Buffer {
  const prk = extract(KEM_ID, { salt: "", label: "eae_prk", ikm: shared });
  return expand(KEM_ID, { prk, label: "shared_secret", info: Buffer.concat([enc, publicKey]), length: 32 });
}

// RFC 9180, 5.1; mode_base is 0 and the sequence number of the only message, too.
function schedule(sharedKey: Buffer, info: string): { key: Buffer; iv: Buffer } {
  const none = Buffer.alloc(0);
  const pskHash = extract(SUITE_ID, { salt: "", label: "psk_id_hash", ikm: none });
  const infoHash = extract(SUITE_ID, { salt: "", label: "info_hash", ikm: Buffer.from(info) });
  const context = Buffer.concat([Buffer.from([0]), pskHash, infoHash]);
  const prk = extract(SUITE_ID, { salt: sharedKey, label: "secret", ikm: none });
  const key = expand(SUITE_ID, { prk, label: "key", info: context, length: 32 });
  return { key, iv: expand(SUITE_ID, { prk, label: "base_nonce", info: context, length: 12 }) };
}

// RFC 9180, 4: LabeledExtract and LabeledExpand; no expansion here is longer than one block.
function extract(
  suite: Buffer,
  { salt, label, ikm }: { salt: string | Buffer; label: string; ikm: Uint8Array },
): Buffer {
  return hmac(Buffer.from(salt), Buffer.concat([Buffer.from("HPKE-v1"), suite, Buffer.from(label), ikm]));
}

function expand(
  suite: Buffer,
  { prk, label, info, length }: { prk: Buffer; label: string; info: Buffer; length: number },
): Buffer {
  const labeled = [Buffer.from([0, length]), Buffer.from("HPKE-v1"), suite, Buffer.from(label), info];
  return hmac(prk, Buffer.concat([...labeled, Buffer.from([1])])).subarray(0, length);
}

function hmac(key: Buffer, text: Buffer): Buffer {
  return createHmac("sha256", key).update(text).digest();
}

function privateOf({ privateKey, publicKey }: RawKeys): KeyObject {
  const [d, x] = [privateKey, publicKey].map((key) => Buffer.from(key).toString("base64url"));
  return createPrivateKey({ key: { kty: "OKP", crv: "X25519", d: d!, x: x! }, format: "jwk" });
}

function publicOf(key: Uint8Array): KeyObject {
  const x = Buffer.from(key).toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "X25519", x }, format: "jwk" });
}
