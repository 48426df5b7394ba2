import type { Client } from "../../client/client.ts";
import type { AnswerLink } from "../../wire/links/links.ts";
import type { Reference } from "../server/links.ts";

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

/** The status of a request, for whoever has one of its links. */
export async function askStatus(client: Client, named: Exclude<Reference, { is: "secret" }>) {
  const { id } = named.link;
  const proof =
    named.is === "collect" ? { collectToken: named.link.collectToken } : { gate: await gateOf(named.link) };
  return client.requests.status.mutate({ id, ...proof });
}

/** @throws ToolFailure damaged_file for a key that is none; nothing was sent then */
export async function gateOf({ publicKey }: AnswerLink): Promise<string> {
  const { deriveRequestGate, readLinkKey } = await import("../../tools/crypto/request-seal.ts");
  return deriveRequestGate(readLinkKey(publicKey));
}
