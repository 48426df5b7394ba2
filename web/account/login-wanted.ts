import { signal } from "@preact/signals";

/** What to do after a login that somebody has asked for beside what they are at. */
export const loginWanted = signal<(() => void) | undefined>(undefined);
