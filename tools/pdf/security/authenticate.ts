import { ToolFailure } from "../../../wire/tool-failure.ts";
import type { Decryptor } from "../reader/source.ts";
import { pdfPasswordBytes } from "./encodings.ts";
import { createDecryptor } from "./decryptor.ts";
import type { SecurityHandler } from "./security-handler.ts";
import { findAes256Key } from "./aes256-key.ts";
import { findMd5Key } from "./md5-key.ts";

/**
 * Opens an encrypted file: without a password where that works, else with the one given.
 * @throws ToolFailure password_required, password_wrong
 */
export function authenticate(
  handler: SecurityHandler,
  password: string | undefined,
): { decryptor: Decryptor; passwordNeeded: boolean } {
  const emptyKey = findKey(handler, new Uint8Array(0));
  if (emptyKey) return { decryptor: createDecryptor(handler, emptyKey), passwordNeeded: false };
  if (password === undefined || password === "") {
    throw new ToolFailure(
      "password_required",
      'The document opens only with a password; send it as "password".',
      { passwordNeeded: true },
    );
  }
  for (const bytes of pdfPasswordBytes(password, handler)) {
    const key = findKey(handler, bytes);
    if (key) return { decryptor: createDecryptor(handler, key), passwordNeeded: true };
  }
  throw new ToolFailure("password_wrong", "The password sent does not open the document.", {
    passwordNeeded: true,
  });
}

function findKey(handler: SecurityHandler, password: Uint8Array): Uint8Array | undefined {
  return handler.isAes256 ? findAes256Key(handler, password) : findMd5Key(handler, password);
}

/** By bit of /P (ISO 32000-1, table 22), from revision 3 on the later ones too. */
const RIGHTS = [
  [3, "print"],
  [4, "modify"],
  [5, "copy"],
  [6, "annotate"],
  [9, "fill_forms"],
  [10, "accessibility"],
  [11, "assemble"],
  [12, "print_high_quality"],
] as const;

/** What the document forbids, such as `print` and `copy`. */
export function restrictionsOf({ permissions, revision }: SecurityHandler): string[] {
  const known = RIGHTS.filter(([bit]) => revision >= 3 || bit <= 6);
  return known.filter(([bit]) => (permissions & (1 << (bit - 1))) === 0).map(([, name]) => name);
}
