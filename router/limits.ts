import {
  ANONYMOUS_LIMITS,
  DEFAULT_SECRET_SECONDS,
  IMAGE_PIXELS,
  MIN_SECRET_SECONDS,
  type Lifetimes,
} from "../wire/limits.ts";

/** Anonymous callers, and members (by API token or session): a token raises limits and does nothing else. */
export type Tier = "anonymous" | "member";

const MIB = 1024 * 1024;

/** The limits of one tier; sizes are in bytes unless the name says otherwise. */
export interface TierLimits {
  /** One file that a tool works on. */
  readonly fileSize: number;
  /** All files of one call together. */
  readonly totalSize: number;
  /** One file sent as a secret. */
  readonly secretFileSize: number;
  readonly secretCharacters: number;
  readonly lifetimes: Lifetimes;
  /** Frames times pixels of an image. */
  readonly pixels: number;
  readonly concurrentCalls: number;
  /** Sent from one address in a day, or by all active secrets of an account. */
  readonly storedBytes: number;
}

/** All limits of an instance; its operator may have set some. */
export interface Limits extends Readonly<Record<Tier, TierLimits>> {
  /** For secrets and requests without a given lifetime. */
  readonly defaultSeconds: number;
  readonly rates: Readonly<Record<RateName, Rate>>;
}

interface Rate extends Record<Tier | "windowSeconds", number> {
  /** What a member's calls are counted by. Those of anonymous callers are counted by address. */
  readonly membersBy: "account" | "address";
  /** The name in RateLimit headers. */
  readonly policy: "tools" | "secrets" | "account" | "catalogue";
  /** What such a call uses, which an instance can reserve for members. */
  readonly starts?: "tools" | "secrets";
}

/** A customer can have a whole IPv6 /48; it may make this many times the calls of one /64 in it. */
export const SITE_FACTOR = 4;

/** The part of MAX_SECRET_BYTES that callers without an account can fill. */
export const ANONYMOUS_SHARE = 3 / 4;

/** How long accounts that were created from one address share one member's budgets. */
export const YOUNG_SECONDS = 86_400;

/** Calls in a window. */
const RATES = {
  tools: {
    anonymous: 60,
    member: 600,
    windowSeconds: 900,
    membersBy: "account",
    policy: "tools",
    starts: "tools",
  },
  secretCreates: {
    anonymous: 10,
    member: 60,
    windowSeconds: 60,
    membersBy: "account",
    policy: "secrets",
    starts: "secrets",
  },
  secretReads: byAddress({ calls: 60, windowSeconds: 60, policy: "secrets" }),
  catalogue: byAddress({ calls: 120, windowSeconds: 60, policy: "catalogue" }),
  /** Listing and changing things of an account. */
  accountCalls: {
    anonymous: 120,
    member: 120,
    windowSeconds: 60,
    membersBy: "account",
    policy: "account",
  },
  wrongTokens: byAddress({ calls: 30, windowSeconds: 60 }),
  logins: byAddress({ calls: 20, windowSeconds: 60 }),
  /** From one address. */
  loginsOfName: byAddress({ calls: 5, windowSeconds: 60 }),
  /** From all addresses together; beyond it the next limit applies. */
  failedLoginsOfName: byAddress({ calls: 100, windowSeconds: 3600 }),
  /** From one address. */
  loginsOfAttackedName: byAddress({ calls: 1, windowSeconds: 60 }),
  recoveries: byAddress({ calls: 20, windowSeconds: 60 }),
  /** From one address. */
  recoveriesOfName: byAddress({ calls: 5, windowSeconds: 60 }),
  /** Repeated passwords in one session. */
  passwordChecks: byAddress({ calls: 5, windowSeconds: 60 }),
  /** Codes of an authenticator app for one account, from all addresses together. */
  wrongCodes: byAddress({ calls: 50, windowSeconds: 86_400 }),
  /** Test calls to new hooks, which reach third parties. */
  hookTests: { anonymous: 20, member: 20, windowSeconds: 600, membersBy: "account", policy: "account" },
  registrations: byAddress({ calls: 5, windowSeconds: 3600 }),
} as const satisfies Record<string, Rate>;

export type RateName = keyof typeof RATES;

/** The specification's limits, which apply where an operator sets no others. */
export const DEFAULT_LIMITS: Limits = {
  anonymous: {
    secretCharacters: ANONYMOUS_LIMITS.secretCharacters,
    lifetimes: { minimum: MIN_SECRET_SECONDS, maximum: ANONYMOUS_LIMITS.secretSeconds },
    fileSize: ANONYMOUS_LIMITS.fileSize,
    totalSize: 50 * MIB,
    secretFileSize: ANONYMOUS_LIMITS.fileSize,
    pixels: IMAGE_PIXELS.anonymous,
    concurrentCalls: 2,
    storedBytes: 100 * MIB,
  },
  member: {
    secretCharacters: 500_000,
    lifetimes: { minimum: MIN_SECRET_SECONDS, maximum: 7_776_000 },
    fileSize: 100 * MIB,
    totalSize: 200 * MIB,
    secretFileSize: 100 * MIB,
    pixels: IMAGE_PIXELS.member,
    concurrentCalls: 8,
    storedBytes: 1024 * MIB,
  },
  defaultSeconds: DEFAULT_SECRET_SECONDS,
  rates: RATES,
};

// The same for every tier.
function byAddress(of: { calls: number; windowSeconds: number; policy?: Rate["policy"] }) {
  const { calls, windowSeconds, policy = "account" } = of;
  return { anonymous: calls, member: calls, windowSeconds, membersBy: "address", policy } satisfies Rate;
}

/** Characters in one field; tools have tighter rules. */
export const MAX_FILE_NAME_LENGTH = 1024;
export const MAX_CHECKSUM_LENGTH = 65_536;
export const MAX_PASSPHRASE_LENGTH = 1024;
/** PDF and age read less of a password; what is longer is not looked at. */
export const MAX_PASSWORD_LENGTH = 1024;
/** Names, ids and recovery codes that are only looked up. */
export const MAX_HANDLE_LENGTH = 64;

/** Characters of an Idempotency-Key: a UUID has 36, and fewer than 22 could be guessed. */
export const MIN_IDEMPOTENCY_KEY_LENGTH = 22;
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

/** Characters of an encrypted label. */
export const MAX_LABEL_LENGTH = 400;

/** Characters of a request's encrypted note. */
export const MAX_NOTE_LENGTH = 1200;

/** How long an interrupted delivery of a file can continue, and how long a server keeps an upload that has stopped. */
export const DELIVERY_SECONDS = 600;
export const UPLOAD_SECONDS = 1800;
/** How long an upload survives the last sign of its server, which gives one every few seconds while it is alive. */
export const ARRIVING_SECONDS = 30;
export const ARRIVING_SIGN_SECONDS = 10;

/** Event streams that are open at a time: from one address, and in all. */
export const MAX_STREAMS = { address: 3, instance: 500 } as const;
/** How long one of them may be open. */
export const MAX_STREAM_SECONDS = 3600;

/** Bytes of uploads that a caller may break off or send in vain; beyond it a caller can begin no more. */
export const BROKEN_UPLOADS = { anonymous: 100 * MIB, member: 1024 * MIB, windowSeconds: 3600 } as const;
/** The memory that a file may take while it comes in or goes out. */
export const FILE_SECRET_MEMORY = 1024 * 1024;

/** Files in one merge. */
export const MAX_FILES = 200;

export const PASSPHRASE_ATTEMPTS = 10;

export const SESSION_SECONDS = 2_592_000;
export const SESSION_IDLE_SECONDS = 604_800;

export const MAX_TOKENS = 20;
export const MAX_PASSKEYS = 20;
export const MIN_TOKEN_SECONDS = 3600;
/** The longest lifetime of a token, and the default. */
export const MAX_TOKEN_SECONDS = 31_536_000;
