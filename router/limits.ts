/** Anonymous callers, and members (by API token or session): a token raises limits and does nothing else. */
export type Tier = "anonymous" | "member";

const MIB = 1024 * 1024;

/** The limits of both tiers; sizes are in bytes unless the name says otherwise. */
export const LIMITS = {
  anonymous: {
    secretCharacters: 50_000,
    secretSeconds: 2_592_000,
    fileSize: 25 * MIB,
    totalSize: 50 * MIB,
    concurrentCalls: 2,
  },
  member: {
    secretCharacters: 500_000,
    secretSeconds: 7_776_000,
    fileSize: 100 * MIB,
    totalSize: 200 * MIB,
    concurrentCalls: 8,
  },
} as const satisfies Record<Tier, Record<string, number>>;

interface Rate extends Record<Tier | "windowSeconds", number> {
  /** What a member's calls are counted by. An anonymous caller's are counted by address. */
  readonly membersBy: "account" | "address";
  /** The name in RateLimit headers. */
  readonly policy: "tools" | "secrets" | "account";
}

/** Calls in a window. */
export const RATES = {
  tools: { anonymous: 60, member: 600, windowSeconds: 900, membersBy: "account", policy: "tools" },
  secretCreates: { anonymous: 10, member: 60, windowSeconds: 60, membersBy: "account", policy: "secrets" },
  secretReads: { anonymous: 60, member: 60, windowSeconds: 60, membersBy: "address", policy: "secrets" },
  wrongTokens: { anonymous: 30, member: 30, windowSeconds: 60, membersBy: "address", policy: "account" },
  logins: { anonymous: 20, member: 20, windowSeconds: 60, membersBy: "address", policy: "account" },
  /** Counted by name, from all addresses together. */
  loginsOfName: { anonymous: 5, member: 5, windowSeconds: 60, membersBy: "address", policy: "account" },
  registrations: { anonymous: 5, member: 5, windowSeconds: 3600, membersBy: "address", policy: "account" },
} as const satisfies Record<string, Rate>;

export type RateName = keyof typeof RATES;

/** Characters in one field; tighter rules come from the tools. */
export const MAX_FILE_NAME_LENGTH = 1024;
export const MAX_CHECKSUM_LENGTH = 65_536;
export const MAX_PASSPHRASE_LENGTH = 1024;
/** Names, ids and recovery codes that are only looked up. */
export const MAX_HANDLE_LENGTH = 64;
export const MAX_TOKEN_NAME_LENGTH = 64;

/** Files in one merge. */
export const MAX_FILES = 200;

export const MIN_SECRET_SECONDS = 60;
export const DEFAULT_SECRET_SECONDS = 86_400;
export const PASSPHRASE_ATTEMPTS = 10;

export const SESSION_SECONDS = 2_592_000;
export const SESSION_IDLE_SECONDS = 604_800;

export const MAX_TOKENS = 20;
export const MIN_TOKEN_SECONDS = 3600;
/** The longest lifetime of a token, and the default. */
export const MAX_TOKEN_SECONDS = 31_536_000;
