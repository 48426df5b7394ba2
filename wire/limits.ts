/** What callers without an account may hand over. Pages and command line need it before they ask a server. */
export const ANONYMOUS_LIMITS = {
  secretCharacters: 50_000,
  secretSeconds: 2_592_000,
  /** In bytes. */
  fileSize: 26_214_400,
} as const;

export const MIN_SECRET_SECONDS = 60;
export const DEFAULT_SECRET_SECONDS = 86_400;

export const MAX_TOKEN_NAME_LENGTH = 64;

/** The longest label, in characters. */
export const MAX_LABEL_CHARACTERS = 64;
