// The words are in one file for each language, in the JSON of i18next (version 4): what a key is, and which part of the
// pages has it.
import type english from "./en.json";

type Form = Intl.LDMLPluralRule;

/** A text for each plural form that a language has (Unicode CLDR); {{count}} is the number. */
export type Plural = { readonly other: string } & { readonly [Each in Form]?: string };

/** Texts by their keys, of which `pages_one` and `pages_other` are one: `pages`, with its forms. */
type WordGroups<Texts> = {
  readonly [Key in keyof Texts as Name<Key>]: Texts[Key] extends string
    ? Key extends `${string}_other`
      ? Plural
      : string
    : WordGroups<Texts[Key]>;
};

type Name<Key> = Key extends `${infer Plain}_other` ? Plain : Key extends `${string}_${Form}` ? never : Key;

/** What a language has to say: the keys of English. */
export type AllWords = WordGroups<typeof english>;

/** What it says on the pages. */
export type Words = Omit<AllWords, (typeof APART)[number]>;

/** What the frame and the page behind a link say; that page loads no other words. */
export const LINK = [
  ...(["app", "common", "reveal", "opened", "open", "unsaved", "delivery", "fields.passphrase"] as const),
  ...(["errors.outside", "errors.unknown", "errors.internal", "errors.outdated"] as const),
  ...(["errors.unreachable", "errors.unreadable", "errors.unforeseen", "errors.missing_parameter"] as const),
  ...(["errors.invalid_parameter", "errors.passphrase_required", "errors.wrong_passphrase"] as const),
  ...(["errors.secret_not_found", "errors.secret_gone", "errors.wrong_kind", "errors.not_found"] as const),
  ...(["errors.request_timeout", "errors.at_most", "errors.at_most_of", "errors.password_wrong"] as const),
  ...(["errors.damaged_file", "errors.rate_limited", "errors.overloaded"] as const),
  ...(["errors.database_unavailable", "errors.draining"] as const),
];

/** What is said of requests. */
export const ASKING = ["asking"] as const;

/** What the tools, the account and the API say; the first pages do without. */
export const MORE = [
  ...ASKING,
  ...(["image", "encrypt", "hash", "range", "pdf", "compare", "password"] as const),
  ...(["account", "admin", "docs", "proof", "warnings"] as const),
] satisfies (keyof Words)[];

/**
 * What the finder loads, what the server says where no page is there or no script runs, what is said of an answer that
 * is no Hushkit's, and of a link to another server.
 */
export const APART = ["terms", "server", "wall", "elsewhere"] as const;

type LinkKey = (typeof LINK)[number];
type Inside<Group extends string, Key = LinkKey> = Key extends `${Group}.${infer Own}` ? Own : never;

export type LinkWords = Pick<Words, LinkKey & keyof Words> & {
  readonly errors: Pick<Words["errors"], Inside<"errors">>;
  readonly fields: Pick<Words["fields"], Inside<"fields">>;
};
