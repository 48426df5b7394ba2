// The words are in one file for each language, in the JSON of i18next (version 4): what a key is, and which part of the
// pages has it.
import type english from "./en.json";

type Form = Intl.LDMLPluralRule;

/** A text for each plural form of a language (Unicode CLDR); {{count}} is the number. */
export type Plural = { readonly other: string } & { readonly [Each in Form]?: string };

/** Texts by their keys, with `pages_one` and `pages_other` joined as `pages` with its forms. */
type WordGroups<Texts> = {
  readonly [Key in keyof Texts as Name<Key>]: Texts[Key] extends string
    ? Key extends `${string}_other`
      ? Plural
      : string
    : WordGroups<Texts[Key]>;
};

type Name<Key> = Key extends `${infer Plain}_other` ? Plain : Key extends `${string}_${Form}` ? never : Key;

/** The words of a language, with the keys of English. */
export type AllWords = WordGroups<typeof english>;

/** The words on the pages. */
export type Words = Omit<AllWords, (typeof APART)[number]>;

/** The words of the frame and of the page behind a link, which loads no others. */
export const LINK = [
  ...(["app", "common", "reveal", "opened", "open", "delivery", "fields.passphrase"] as const),
  ...(["unsaved.title", "unsaved.stay", "unsaved.leave"] as const),
  ...(["unsaved.reasons.secret", "unsaved.reasons.several", "unsaved.reasons.file"] as const),
  ...(["errors.outside", "errors.unknown", "errors.internal", "errors.outdated"] as const),
  ...(["errors.unreachable", "errors.unreadable", "errors.unforeseen", "errors.missing_parameter"] as const),
  ...(["errors.invalid_parameter", "errors.passphrase_required", "errors.wrong_passphrase"] as const),
  ...(["errors.secret_not_found", "errors.secret_gone", "errors.wrong_kind", "errors.not_found"] as const),
  ...(["errors.request_timeout", "errors.at_most", "errors.at_most_of", "errors.password_wrong"] as const),
  ...(["errors.damaged_file", "errors.rate_limited", "errors.overloaded"] as const),
  ...(["errors.database_unavailable", "errors.draining"] as const),
];

/** The words about requests. */
export const ASKING = ["asking"] as const;

/** The words of tools, accounts and the API, which the first pages do not need. */
export const MORE = [
  ...ASKING,
  ...(["image", "encrypt", "hash", "range", "pdf", "compare", "password"] as const),
  ...(["account", "admin", "docs", "proof", "warnings"] as const),
] satisfies (keyof Words)[];

/**
 * Words loaded separately: for the finder, of the server itself, for answers that are not Hushkit's, and for links to
 * other servers.
 */
export const APART = ["terms", "server", "wall", "elsewhere"] as const;

type LinkKey = (typeof LINK)[number];
type KeysInside<Group extends string, Key = LinkKey> = Key extends `${Group}.${infer Own}` ? Own : never;

export type LinkWords = Pick<Words, LinkKey & keyof Words> & {
  readonly unsaved: Omit<Words["unsaved"], "reasons"> & {
    readonly reasons: Partial<Words["unsaved"]["reasons"]>;
  };
  readonly errors: Pick<Words["errors"], KeysInside<"errors">>;
  readonly fields: Pick<Words["fields"], KeysInside<"fields">>;
};
