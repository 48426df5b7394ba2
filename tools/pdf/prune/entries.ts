import type { Dict, Value } from "../syntax/values.ts";

/** Sets entries; undefined removes one. */
export function setEntries(dict: Dict, entries: Readonly<Record<string, Value | undefined>>): void {
  for (const [key, value] of Object.entries(entries)) {
    if (value === undefined) dict.delete(key);
    else dict.set(key, value);
  }
}

/** A copy with these keys only. */
export function keepOnly(dict: Dict, keys: readonly string[]): Dict {
  return new Map([...dict].filter(([key]) => keys.includes(key)));
}

/** A copy without these keys. */
export function without(dict: Dict, keys: readonly string[]): Dict {
  return new Map([...dict].filter(([key]) => !keys.includes(key)));
}

/** Tells of an object whether it is kept. */
export type IsKept = (num: number) => boolean;
