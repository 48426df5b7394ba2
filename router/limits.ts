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

/** How often within a window, counted per address for anonymous callers and per account for members. */
export const RATES = {
  tools: { anonymous: 60, member: 600, windowSeconds: 900 },
  secretCreates: { anonymous: 10, member: 60, windowSeconds: 60 },
  secretReads: { anonymous: 60, member: 60, windowSeconds: 60 },
  wrongTokens: { anonymous: 30, member: 30, windowSeconds: 60 },
} as const satisfies Record<string, Record<Tier | "windowSeconds", number>>;

export type RateName = keyof typeof RATES;

export const MIN_SECRET_SECONDS = 60;
export const DEFAULT_SECRET_SECONDS = 86_400;
export const PASSPHRASE_ATTEMPTS = 10;

/** An RPC batch holds at most this many calls, each counted on its own. */
export const MAX_BATCH_CALLS = 10;
