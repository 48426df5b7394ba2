import { randomBytes, scrypt } from "node:crypto";
// The only comparison of digests.
import { equalBytes } from "../../tools/crypto/equal-bytes.ts";
import type { Lane, Passwords } from "../../router/context.ts";
import { normalized } from "../../wire/nfc.ts";

/** The cost of scrypt (RFC 7914, section 6): 2^ln rounds on blocks of 128·r bytes, p times. */
export interface ScryptCost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** 32 MiB three times, one of the equivalent settings in OWASP's password storage guide. */
const COST: ScryptCost = { ln: 15, r: 8, p: 3 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;

const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{1,86})\$([A-Za-z0-9+/]{1,86})$/;

/**
 * Hashes and checks passwords as PHC strings of scrypt, the same on every runtime. A hash takes memory and a thread for
 * a while, so `lane` runs only few at a time.
 */
export function createPasswords(options: { lane: Lane; cost?: ScryptCost | undefined }): Passwords {
  const { lane, cost = COST } = options;
  // Checked against where there is no member, so that the time reveals nothing about names.
  const nobody: Hash = { cost, salt: randomBytes(SALT_BYTES), hash: randomBytes(HASH_BYTES) };
  return {
    async hash(password, requester) {
      const salt = randomBytes(SALT_BYTES);
      const hash = await lane.run(requester, () => derive(password, { cost, salt }));
      return writePhc({ cost, salt, hash });
    },
    async check(password, text, requester) {
      const known = text === undefined ? undefined : readPhc(text);
      const against = known ?? nobody;
      const { length } = against.hash;
      const derived = await lane.run(requester, () => derive(password, { ...against, length }));
      const isRight = equalBytes(derived, against.hash) && known !== undefined;
      return { isRight, isOutdated: known !== undefined && !isSame(known.cost, cost) };
    },
  };
}

interface Hash {
  readonly cost: ScryptCost;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

function derive(
  password: string,
  { cost: { ln, r, p }, salt, length = HASH_BYTES }: { cost: ScryptCost; salt: Buffer; length?: number },
): Promise<Buffer> {
  // By default the library refuses exactly what these blocks need.
  const maxmem = 2 * 128 * r * 2 ** ln;
  const options = { N: 2 ** ln, r, p, maxmem };
  // An accent may have been typed as one character or as two.
  const text = Buffer.from(normalized(password), "utf8");
  return new Promise((resolve, reject) => {
    scrypt(text, salt, length, options, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

function writePhc({ cost: { ln, r, p }, salt, hash }: Hash): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${toBase64(salt)}$${toBase64(hash)}`;
}

function readPhc(text: string): Hash | undefined {
  const [, ln, r, p, salt, hash] = PHC.exec(text) ?? [];
  if (salt === undefined || hash === undefined) return undefined;
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  return { cost, salt: Buffer.from(salt, "base64"), hash: Buffer.from(hash, "base64") };
}

function isSame(a: ScryptCost, b: ScryptCost): boolean {
  return a.ln === b.ln && a.r === b.r && a.p === b.p;
}

// PHC strings have no padding.
function toBase64(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}
