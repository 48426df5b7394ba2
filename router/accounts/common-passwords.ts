import COMMON from "./common-passwords.json" with { type: "json" };

/**
 * The passwords that people choose most, in small letters, as far as they are long enough here: the first 3,000 of
 * those in `100k-most-used-passwords-NCSC.txt` of SecLists, which is in the order of how often each was found in leaks,
 * and all of those in `@zxcvbn-ts/language-common`.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(COMMON);

/** Whether so many people choose a password that it is tried first. Case does not count. */
export function isCommon(password: string): boolean {
  return COMMON_PASSWORDS.has(password.normalize("NFC").toLowerCase());
}
