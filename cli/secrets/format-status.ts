import type { Client } from "../../client/client.ts";
import type { AnswerLink } from "../../wire/links/links.ts";
import type { Reference } from "../server/links.ts";

interface Status {
  readonly status: string;
  readonly expiry: string;
  readonly closed: string | null;
  readonly size?: number | undefined;
  /** For requests: how many answers it takes, has received and has handed out. */
  readonly answers?: number;
  readonly answered?: number;
  readonly collected?: number;
}

/** The state of a secret or a request in one line. */
export function formatStatus(state: Status): string {
  const { status, expiry, closed, size } = state;
  const when = closed === null ? ` until ${expiry}` : ` at ${closed}`;
  return `${status}${when}${size === undefined ? "" : `, a file of ${size} bytes`}${formatCounts(state)}`;
}

// For a single answer, the status says whether it is there.
function formatCounts({ answers = 1, answered = 0, collected = 0 }: Status): string {
  return answers === 1 ? "" : `, ${answered} of ${answers} answers came, ${collected} were collected`;
}

/** Asks for the status of a request by one of its links. */
export async function askStatus(client: Client, named: Exclude<Reference, { is: "secret" }>) {
  const { id } = named.link;
  const proof =
    named.is === "collect" ? { collectToken: named.link.collectToken } : { gate: await gateOf(named.link) };
  return client.requests.status.mutate({ id, ...proof });
}

/** @throws ToolFailure damaged_file for an invalid key; nothing is sent then */
export async function gateOf({ publicKey }: AnswerLink): Promise<string> {
  const { deriveRequestGate, readLinkKey } = await import("../../tools/crypto/request-seal.ts");
  return deriveRequestGate(readLinkKey(publicKey));
}
