const KEY = "seen";

/** The latest end in a list that this browser has shown, in milliseconds; undefined where it never has shown the list. */
export function readLastSeen(list: string): number | undefined {
  try {
    const kept = localStorage.getItem(`${KEY} ${list}`);
    return kept === null ? undefined : Number(kept);
  } catch {
    return undefined;
  }
}

/** Remembers it: times of the server, whatever the clock of this browser says. */
export function keepLastSeen(list: string, time: number): void {
  try {
    localStorage.setItem(`${KEY} ${list}`, String(Math.max(time, readLastSeen(list) ?? 0)));
  } catch {
    // A browser that keeps nothing marks nothing.
  }
}
