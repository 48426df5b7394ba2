import { ANONYMOUS_LIMITS } from "../wire/limits.ts";

/** Anonymous callers, and members (by API token or session): a token raises limits and does nothing else. */
export type Tier = "anonymous" | "member";

const MIB = 1024 * 1024;

/** The limits of both tiers; sizes are in bytes unless the name says otherwise. */
export const LIMITS = {
  anonymous: {
    ...ANONYMOUS_LIMITS,
    totalSize: 50 * MIB,
    /** Frames times pixels of an image. */
    pixels: 50_000_000,
    concurrentCalls: 2,
    /** Sent from one address in a day. */
    storedBytes: 100 * MIB,
  },
  member: {
    secretCharacters: 500_000,
    secretSeconds: 7_776_000,
    fileSize: 100 * MIB,
    totalSize: 200 * MIB,
    pixels: 100_000_000,
    concurrentCalls: 8,
    /** Of all secrets of the account that are active. */
    storedBytes: 1024 * MIB,
  },
} as const satisfies Record<Tier, Record<string, number>>;

export interface Rate extends Record<Tier | "windowSeconds", number> {
  /** What a member's calls are counted by. An anonymous caller's are counted by address. */
  readonly membersBy: "account" | "address";
  /** The name in RateLimit headers. */
  readonly policy: "tools" | "secrets" | "account" | "catalogue";
  /** What such a call starts, which an instance can keep for members. */
  readonly starts?: "tools" | "secrets";
}

/** An IPv6 /48, which one customer can hold whole, may do this many times what one /64 in it may. */
export const SITE_FACTOR = 4;

/** The part of MAX_SECRET_BYTES that callers without an account can fill. */
export const ANONYMOUS_SHARE = 3 / 4;

/** So long accounts that were made from one address share one member's budgets. */
export const YOUNG_SECONDS = 86_400;

/** Calls in a window. */
export const RATES = {
  tools: {
    ...{ anonymous: 60, member: 600, windowSeconds: 900, membersBy: "account", policy: "tools" },
    starts: "tools",
  },
  secretCreates: {
    ...{ anonymous: 10, member: 60, windowSeconds: 60, membersBy: "account", policy: "secrets" },
    starts: "secrets",
  },
  secretReads: byAddress({ calls: 60, windowSeconds: 60, policy: "secrets" }),
  catalogue: byAddress({ calls: 120, windowSeconds: 60, policy: "catalogue" }),
  /** Lists and changes in an account. */
  accountCalls: {
    ...{ anonymous: 120, member: 120, windowSeconds: 60, membersBy: "account", policy: "account" },
  },
  wrongTokens: byAddress({ calls: 30, windowSeconds: 60 }),
  logins: byAddress({ calls: 20, windowSeconds: 60 }),
  /** From one address. */
  loginsOfName: byAddress({ calls: 5, windowSeconds: 60 }),
  /** From all addresses together; past it the next one holds. */
  failedLoginsOfName: byAddress({ calls: 100, windowSeconds: 3600 }),
  /** From one address. */
  loginsOfAttackedName: byAddress({ calls: 1, windowSeconds: 60 }),
  recoveries: byAddress({ calls: 20, windowSeconds: 60 }),
  /** From one address. */
  recoveriesOfName: byAddress({ calls: 5, windowSeconds: 60 }),
  /** The password that is asked for again, in one session. */
  passwordChecks: byAddress({ calls: 5, windowSeconds: 60 }),
  registrations: byAddress({ calls: 5, windowSeconds: 3600 }),
} as const satisfies Record<string, Rate>;

export type RateName = keyof typeof RATES;

// The same for everybody.
function byAddress({
  calls,
  windowSeconds,
  policy = "account",
}: {
  calls: number;
  windowSeconds: number;
  policy?: Rate["policy"];
}) {
  return { anonymous: calls, member: calls, windowSeconds, membersBy: "address", policy } satisfies Rate;
}

/** Characters in one field; tighter rules come from the tools. */
export const MAX_FILE_NAME_LENGTH = 1024;
export const MAX_CHECKSUM_LENGTH = 65_536;
export const MAX_PASSPHRASE_LENGTH = 1024;
/** Names, ids and recovery codes that are only looked up. */
export const MAX_HANDLE_LENGTH = 64;

/** Characters of a label, as it is sent: sealed. */
export const MAX_LABEL_LENGTH = 400;

/** Characters of a request's note, as it is sent: sealed. */
export const MAX_NOTE_LENGTH = 1200;

/** How long a cut delivery of a file can go on, and an upload that has stopped is kept by the server that takes it. */
export const DELIVERY_SECONDS = 600;
export const UPLOAD_SECONDS = 1800;
/** So long an upload outlives the last sign of its server; while that lives, it is told every few seconds. */
export const ARRIVING_SECONDS = 30;
export const ARRIVING_SIGN_SECONDS = 10;

/** Bytes of uploads that their callers may break off, or send for nothing; past it they begin no more. */
export const BROKEN_UPLOADS = { anonymous: 100 * MIB, member: 1024 * MIB, windowSeconds: 3600 } as const;
/** What a file may take of memory on its way in or out. */
export const FILE_SECRET_MEMORY = 1024 * 1024;

/** Files in one merge. */
export const MAX_FILES = 200;

export const PASSPHRASE_ATTEMPTS = 10;

export const SESSION_SECONDS = 2_592_000;
export const SESSION_IDLE_SECONDS = 604_800;

export const MAX_TOKENS = 20;
export const MIN_TOKEN_SECONDS = 3600;
/** The longest lifetime of a token, and the default. */
export const MAX_TOKEN_SECONDS = 31_536_000;
