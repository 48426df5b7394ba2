import { z } from "zod";
import { wrongParameter } from "../errors/errors.ts";
import COMMON from "./common-passwords.json" with { type: "json" };
import { normalized } from "../../wire/nfc.ts";

/** Length of a password in characters (code points of its NFC form). */
const PASSWORD_LENGTH = { minimum: 10, maximum: 256 } as const;

/** The rule for passwords, in words. */
export const PASSWORD_RULE = `${PASSWORD_LENGTH.minimum} to ${PASSWORD_LENGTH.maximum} characters`;

/** The rule for user names, in words. */
export const NAME_RULE =
  "3 to 32 of the letters a to z, digits, dots, hyphens and underscores, with a letter or digit first";

const NAME = /^[a-z0-9][a-z0-9._-]{2,31}$/;

/** Whether a text is a valid user name; checked before it reaches the database. */
export function isName(text: string): boolean {
  return NAME.test(text);
}

export const newName = z.string().regex(NAME, `must be ${NAME_RULE}`).describe(`Login name: ${NAME_RULE}`);

/** Whether a text has a valid length, counted as it is hashed: in code points, composed (NFC). */
export function isPassword(text: string): boolean {
  const { minimum, maximum } = PASSWORD_LENGTH;
  // A text four times as long can never be short enough, and normalizing long text takes time.
  if (!text.isWellFormed() || text.length > 4 * maximum) return false;
  const { length } = [...normalized(text)];
  return length >= minimum && length <= maximum;
}

/** Why a new password of valid length is weak: guessing would find it early. The end of a sentence, or undefined. */
export function weaknessOf(
  password: string,
  { name, instance }: { name: string; instance: { readonly name: string } },
): string | undefined {
  const given = normalized(password).toLowerCase();
  if (given === name.toLowerCase()) return "must not be the name of the account";
  if (given === normalized(instance.name).toLowerCase()) return "must not be the name of this server";
  return isCommon(password) ? "must not be one that many people choose" : undefined;
}

/** @throws ApiError invalid_parameter for a new password that guessing would find early */
export function checkNewPassword(
  password: string,
  { parameter, ...of }: { name: string; instance: { readonly name: string }; parameter: string },
): void {
  const weakness = weaknessOf(password, of);
  if (weakness !== undefined) throw wrongParameter("invalid_parameter", parameter, weakness);
}

/** Whether a new password also revokes the account's tokens. */
export const revokeTokens = z.boolean().default(false).describe("Whether to revoke all API tokens too");

/** The field of a new password; a password that is only checked may be any text. */
export function newPassword(description: string) {
  const { minimum: minLength, maximum: maxLength } = PASSWORD_LENGTH;
  return z
    .string()
    .refine(isPassword)
    .meta({ description: `${description}: ${PASSWORD_RULE}`, format: "password", minLength, maxLength });
}

/**
 * The passwords that people choose most, in lower case, if they are long enough here: the first 3,000 in
 * `100k-most-used-passwords-NCSC.txt` of SecLists, which is sorted by how often each was found in leaks, and all in
 * `@zxcvbn-ts/language-common`.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(COMMON);

/** Whether a password is so common that it is guessed first. Case does not matter. */
export function isCommon(password: string): boolean {
  return COMMON_PASSWORDS.has(normalized(password).toLowerCase());
}
