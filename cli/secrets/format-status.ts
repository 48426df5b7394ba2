interface Status {
  readonly status: string;
  readonly expiry: string;
  readonly closed: string | null;
  readonly size?: number | undefined;
  /** Of requests: how many answers it takes, has had and has handed out. */
  readonly answers?: number;
  readonly answered?: number;
  readonly collected?: number;
}

/** What became of a secret or a request, in a line. */
export function formatStatus(state: Status): string {
  const { status, expiry, closed, size } = state;
  const when = closed === null ? ` until ${expiry}` : ` at ${closed}`;
  return `${status}${when}${size === undefined ? "" : `, a file of ${size} bytes`}${formatCounts(state)}`;
}

// One answer is there or not, as the status says already.
function formatCounts({ answers = 1, answered = 0, collected = 0 }: Status): string {
  return answers === 1 ? "" : `, ${answered} of ${answers} answers came, ${collected} were collected`;
}
