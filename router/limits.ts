/** Anonymous callers and members (an API token or a login): a token changes ceilings and nothing else. */
export type Tier = "anonymous" | "member";

const MIB = 1024 * 1024;

/** Ceilings of the two tiers; sizes in bytes unless the name says otherwise. */
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
  /** What a member's calls are counted by; an anonymous caller's are counted by address. */
  readonly membersBy: "account" | "address";
  /** The name in RateLimit headers. */
  readonly policy: "tools" | "secrets" | "account";
}

/** How often within a window. */
export const RATES = {
  tools: { anonymous: 60, member: 600, windowSeconds: 900, membersBy: "account", policy: "tools" },
  secretCreates: { anonymous: 10, member: 60, windowSeconds: 60, membersBy: "account", policy: "secrets" },
  secretReads: { anonymous: 60, member: 60, windowSeconds: 60, membersBy: "address", policy: "secrets" },
  wrongTokens: { anonymous: 30, member: 30, windowSeconds: 60, membersBy: "address", policy: "account" },
  logins: { anonymous: 20, member: 20, windowSeconds: 60, membersBy: "address", policy: "account" },
  /** Counted by the name that is tried, whoever tries it. */
  loginsOfName: { anonymous: 5, member: 5, windowSeconds: 60, membersBy: "address", policy: "account" },
  registrations: { anonymous: 5, member: 5, windowSeconds: 3600, membersBy: "address", policy: "account" },
} as const satisfies Record<string, Rate>;

export type RateName = keyof typeof RATES;

/** Files that one merge may join. */
export const MAX_FILES = 200;

export const MIN_SECRET_SECONDS = 60;
export const DEFAULT_SECRET_SECONDS = 86_400;
export const PASSPHRASE_ATTEMPTS = 10;

/** An RPC batch holds at most this many calls, each counted on its own. */
export const MAX_BATCH_CALLS = 10;

export const SESSION_SECONDS = 2_592_000;
export const SESSION_IDLE_SECONDS = 604_800;

export const MAX_TOKENS = 20;
export const MIN_TOKEN_SECONDS = 3600;
/** The longest life of a token, and the one it gets unless another is wished. */
export const MAX_TOKEN_SECONDS = 31_536_000;
