/** Limits of callers without an account, which pages and command line need before they contact a server. */
export const ANONYMOUS_LIMITS = {
  secretCharacters: 50_000,
  secretSeconds: 2_592_000,
  /** In bytes. */
  fileSize: 26_214_400,
} as const;

/** Frames times pixels of an image that is decoded; the largest phone cameras stay below the first value. */
export const IMAGE_PIXELS = { anonymous: 50_000_000, member: 100_000_000 } as const;

export const MIN_SECRET_SECONDS = 60;
export const DEFAULT_SECRET_SECONDS = 86_400;

/** The lifetimes that a caller may ask for, in seconds: all between two bounds, or only some of them. */
export interface Lifetimes {
  readonly minimum: number;
  readonly maximum: number;
  readonly offered?: readonly number[] | undefined;
}

export function isOffered(seconds: number, { minimum, maximum, offered }: Lifetimes): boolean {
  if (!Number.isInteger(seconds) || seconds < minimum || seconds > maximum) return false;
  return offered === undefined || offered.includes(seconds);
}

/** The shortest allowed lifetime that is at least as long as wanted, or else the longest. */
export function nearestLifetime(wanted: number, { minimum, maximum, offered }: Lifetimes): number {
  if (offered === undefined) return Math.min(maximum, Math.max(minimum, wanted));
  return Math.min(...offered.filter((seconds) => seconds >= wanted || seconds === Math.max(...offered)));
}

/** The most answers that one request can take. */
export const MAX_ANSWERS = 100;

/** How many seconds a file that is an answer outlives its request, for a late collector. */
export const LATE_COLLECTOR_SECONDS = 3600;

export const MAX_TOKEN_NAME_LENGTH = 64;

/** The longest label, in characters. */
export const MAX_LABEL_CHARACTERS = 64;
