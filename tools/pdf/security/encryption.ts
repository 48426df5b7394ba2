import { joinParts, type ByteParts } from "../../../wire/byte-pieces.ts";
import { type Bytes, concatBytes, utf8 } from "../../../wire/bytes.ts";
import { hexString, stringBytes } from "../syntax/strings.ts";
import { type Dict, makeDict, type PdfString } from "../syntax/values.ts";
import { encryptCbc, createAesEncrypt } from "./aes.ts";
import { strongHash } from "./aes256-key.ts";

const KEY_BYTES = 32;
const SALT_BYTES = 8;
const NONE = new Uint8Array(0);
const NO_IV = new Uint8Array(16);

/** A new file key, and the dictionary from which a password recovers it. */
export interface Encryption {
  readonly key: Bytes;
  readonly dict: Dict;
}

/**
 * Encrypts everything with AES-256, revision 6 (ISO 32000-2, 7.6.4). The passwords are prepared and have at most 127
 * bytes; with the owner's, readers may do what `permissions`, the value of /P, does not allow.
 */
export function createEncryption(secrets: {
  password: Uint8Array;
  ownerPassword: Uint8Array;
  permissions: number;
}): Encryption {
  const { password, ownerPassword, permissions } = secrets;
  const key = randomBytes(KEY_BYTES);
  const user = wrapKey(key, password, NONE);
  const owner = wrapKey(key, ownerPassword, user.proof);
  const filter = makeDict({ AuthEvent: "DocOpen", CFM: "AESV3", Length: KEY_BYTES });
  const dict = makeDict({
    Filter: "Standard",
    V: 5,
    R: 6,
    Length: 8 * KEY_BYTES,
    P: permissions,
    EncryptMetadata: true,
    CF: makeDict({ StdCF: filter }),
    StmF: "StdCF",
    StrF: "StdCF",
    U: hexString(user.proof),
    UE: hexString(user.encrypted),
    O: hexString(owner.proof),
    OE: hexString(owner.encrypted),
    Perms: hexString(sealPermissions(key, permissions)),
  });
  return { key, dict };
}

/** The key under a password, and what tells that password from others (7.6.4.4.7 and 8, algorithms 8 and 9). */
function wrapKey(
  key: Uint8Array,
  password: Uint8Array,
  context: Uint8Array,
): { proof: Bytes; encrypted: Uint8Array } {
  const [validationSalt, keySalt] = [randomBytes(SALT_BYTES), randomBytes(SALT_BYTES)];
  const digest = strongHash(password, validationSalt, context);
  const wrapping = strongHash(password, keySalt, context);
  return {
    proof: concatBytes(digest, validationSalt, keySalt),
    encrypted: encryptCbc(wrapping, NO_IV, key),
  };
}

/** /P once more, where only who has the key can change it (7.6.4.4.9, algorithm 10). */
function sealPermissions(key: Uint8Array, permissions: number): Uint8Array {
  const plain = concatBytes(new Uint8Array(8).fill(255), utf8("Tadb"), randomBytes(4));
  new DataView(plain.buffer).setInt32(0, permissions, true);
  // For a single block, CBC without an initialization vector is ECB, as the clause requires.
  return encryptCbc(key, NO_IV, plain);
}

export function randomBytes(length: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(length));
}

/** Encrypts what a file holds, every stream and string under the file key itself (ISO 32000-2, 7.6.3.3, algorithm 1.A). */
export interface Encryptor {
  /** The encryption dictionary, which is never encrypted. */
  readonly dict: Dict;
  encryptString(text: PdfString): PdfString;
  encryptStream(data: Uint8Array): ByteParts;
  /** The same with Web Crypto; undefined where that is not the faster way. */
  encryptStreamAsync(data: Bytes): Promise<ByteParts> | undefined;
}

export function createEncryptor({ key, dict }: Encryption): Encryptor {
  const { encrypt, encryptAsync } = createAesEncrypt(key);
  return {
    dict,
    encryptString: (text) => hexString(joinParts(encrypt(stringBytes(text)))),
    encryptStream: encrypt,
    encryptStreamAsync: encryptAsync,
  };
}
