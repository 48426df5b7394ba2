import { createDecipheriv, createHmac, hkdfSync } from "node:crypto";
import { expect, test } from "vitest";
import {
  deriveInstanceKeys,
  makeInstanceKey,
  openFor,
  sealFor,
  SEED_BYTES,
} from "../../router/instance-key.ts";

const KEY = new Uint8Array(32).fill(7);
const SEED = new Uint8Array(SEED_BYTES).fill(9);

/** HKDF of the runtime, in place of ours. */
function derive(info: string): Buffer {
  return Buffer.from(hkdfSync("sha256", KEY, "hushkit instance key", info, 32));
}

test("derives each key by HKDF-SHA-256 for its own purpose", () => {
  const keys = deriveInstanceKeys(KEY);
  const hmac = (info: string, text: string) => createHmac("sha256", derive(info)).update(text).digest("hex");
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
  expect(hex(keys.digest("address 127.0.0.1"))).toBe(hmac("digests", "address 127.0.0.1"));
  expect(hex(keys.challenge("login 1,2"))).toBe(hmac("passkey challenges", "login 1,2"));
  expect(hex(keys.call('{"code":"123456"}'))).toBe(hmac("calls of accounts", '{"code":"123456"}'));
  expect(hex(keys.loginFlow)).toBe(derive("login flows").toString("hex"));
  expect(hex(keys.seeds)).toBe(derive("seeds of authenticator apps").toString("hex"));
  expect(hex(keys.check)).toBe(hmac("check", "This database is sealed with this key."));
});

test("seals a seed as AES-256-GCM with the member's id as additional data, never twice alike", async () => {
  const keys = deriveInstanceKeys(KEY);
  const sealed = await sealFor(SEED, keys.seeds, "ann");
  expect(sealed).toHaveLength(12 + SEED_BYTES + 16);
  const cipher = createDecipheriv("aes-256-gcm", derive("seeds of authenticator apps"), sealed.slice(0, 12));
  cipher.setAAD(Buffer.from("ann")).setAuthTag(sealed.slice(-16));
  expect(new Uint8Array(Buffer.concat([cipher.update(sealed.slice(12, -16)), cipher.final()]))).toEqual(SEED);
  expect(await sealFor(SEED, keys.seeds, "ann")).not.toEqual(sealed);
});

test("opens a seed for its member, with its key, as it was, and in no other case", async () => {
  const keys = deriveInstanceKeys(KEY);
  const sealed = await sealFor(SEED, keys.seeds, "ann");
  const changed = sealed.map((byte, at) => (at === 20 ? byte ^ 1 : byte));
  expect(await openFor(sealed, keys.seeds, "ann")).toStrictEqual(SEED);
  expect(await openFor(sealed, keys.seeds, "bob")).toBeUndefined();
  expect(await openFor(sealed, deriveInstanceKeys(makeInstanceKey()).seeds, "ann")).toBeUndefined();
  expect(await openFor(changed, keys.seeds, "ann")).toBeUndefined();
  // What an older version has left open is nothing that opens.
  for (const length of [0, 11, 12, 20, 28])
    expect(await openFor(sealed.slice(0, length), keys.seeds, "ann")).toBeUndefined();
});
