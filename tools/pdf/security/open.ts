import { ToolFailure } from "../../../wire/tool-failure.ts";
import type { Guard } from "../reader/source.ts";
import { passwordBytes } from "./encodings.ts";
import { guardWith } from "./decryptor.ts";
import type { Handler } from "./handler.ts";
import { findNewKey } from "./new-keys.ts";
import { findOldKey } from "./old-keys.ts";

export interface Opened {
  readonly guard: Guard;
  readonly passwordNeeded: boolean;
}

/**
 * Opens an encrypted file: without a password where that works, else with the one given.
 * @throws ToolFailure password_required, password_wrong
 */
export function openHandler(handler: Handler, password: string | undefined): Opened {
  const open = findKey(handler, new Uint8Array(0));
  if (open) return { guard: guardWith(handler, open), passwordNeeded: false };
  if (password === undefined || password === "") {
    throw new ToolFailure(
      "password_required",
      'The document opens only with a password; send it as "password".',
      {
        passwordNeeded: true,
      },
    );
  }
  for (const bytes of passwordBytes(password, handler)) {
    const key = findKey(handler, bytes);
    if (key) return { guard: guardWith(handler, key), passwordNeeded: true };
  }
  throw new ToolFailure("password_wrong", "The password sent does not open the document.", {
    passwordNeeded: true,
  });
}

function findKey(handler: Handler, password: Uint8Array): Uint8Array | undefined {
  return handler.isModern ? findNewKey(handler, password) : findOldKey(handler, password);
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
export function restrictionsOf({ permissions, revision }: Handler): string[] {
  const known = RIGHTS.filter(([bit]) => revision >= 3 || bit <= 6);
  return known.filter(([bit]) => (permissions & (1 << (bit - 1))) === 0).map(([, name]) => name);
}
