// The database keeps unix seconds; answers give RFC 3339.

/** Unix seconds as RFC 3339 in UTC. */
export function toTime(unixSeconds: number): string {
  return new Date(unixSeconds * 1000).toISOString();
}

/** The same, where a row has no time. */
export function toTimeOrNull(unixSeconds: number | null): string | null {
  return unixSeconds === null ? null : toTime(unixSeconds);
}
