// Lengths of what is drawn at random, in base62 digits of 5.95 bits (docs/formats.md).

/** Handles of secrets: 95 bits. */
export const SECRET_ID_LENGTH = 16;
/** The key in a secret's link: 131 bits. */
export const SECRET_KEY_LENGTH = 22;
/** 190 bits. */
export const REVOKE_TOKEN_LENGTH = 32;

/** What the asker of a secret keeps to collect the answer: 190 bits. */
export const COLLECT_TOKEN_LENGTH = 32;

/** With it the delivery of a file goes on after a cut: 190 bits. */
export const TICKET_LENGTH = 32;

/** Handles of members, sessions and API tokens; knowing one gives no access. */
export const HANDLE_LENGTH = 16;
/** The value of a session's cookie: 256 bits. */
export const SESSION_VALUE_LENGTH = 43;
/** The random part of an API token: 190 bits. */
export const API_TOKEN_RANDOM_LENGTH = 32;
