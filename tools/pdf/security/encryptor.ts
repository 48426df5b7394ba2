import { joinParts, type ByteParts } from "../../../wire/byte-parts.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { hexString, stringBytes } from "../syntax/strings.ts";
import type { Dict, PdfString } from "../syntax/values.ts";
import { createAesEncrypt } from "./aes.ts";
import type { Encryption } from "./encryption.ts";

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
