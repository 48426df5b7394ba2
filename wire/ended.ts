/**
 * How a secret or a request ended, by its status, as a clause such as "it was revoked at 2026-11-30T23:00:00.000Z".
 * `closed` is the point in time, RFC 3339.
 */
export function describeEnd({ status, closed }: { status: string; closed: string | null }): string {
  const at = closed === null ? "" : ` at ${closed}`;
  if (status === "expired") return `it expired${at}`;
  return status === "locked" ? `it was deleted after ten wrong passphrases${at}` : `it was ${status}${at}`;
}
