import { findFailure, type Failure } from "../../api/failure.ts";
import { server } from "../../api/server.ts";
import type { Control } from "../../work/run.ts";
import { shareSecret, type CreatedSecret, type SecretInput } from "./share.ts";

/** A separate secret for one of several people. */
export interface Copy extends CreatedSecret {
  /** Stays on this page: the server does not learn for whom a secret is. */
  readonly person: string;
}

/** The same content for several people, with a link for each. */
export interface Copies {
  readonly input: SecretInput;
  readonly made: readonly Copy[];
  /** The people without a link so far, because of the failure. */
  readonly left: readonly string[];
  readonly failure: Failure | undefined;
}

/**
 * Makes the missing links. A failure after the first link is kept together with the links made.
 * @throws whatever the first link fails with
 */
export async function shareCopies(copies: Copies, control: Control): Promise<Copies> {
  const made = [...copies.made];
  const left = [...copies.left];
  const total = made.length + left.length;
  try {
    for (let person = left[0]; person !== undefined; person = left[0]) {
      // One bar for all of them; the progress of a single one would make it jump.
      const created = await shareSecret(copies.input, { ...control, onProgress() {} });
      made.push({ ...created, person });
      left.shift();
      control.onProgress(made.length / total);
    }
  } catch (error) {
    if (control.signal.aborted) void revokeAll(made.slice(copies.made.length));
    control.signal.throwIfAborted();
    if (made.length === 0) throw error;
    return { ...copies, made, left, failure: await findFailure(error) };
  }
  return { ...copies, made, left, failure: undefined };
}

/** In seconds, where the server does not say how long to wait. */
const MINUTE = 60;

/** Whether the server only takes no more in this minute, as with a hundred links. */
export function isTooFast(failure: Failure | undefined): failure is Failure {
  return failure?.code === "rate_limited";
}

/** Waits until the server takes more. */
export async function waitForRate({ fields }: Failure, signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, Number(fields["retryAfter"] ?? MINUTE) * 1000);
    signal.addEventListener("abort", resolve, { once: true });
  });
  signal.throwIfAborted();
}

// Nobody has seen their links.
async function revokeAll(made: readonly Copy[]): Promise<void> {
  const calls = made.map(({ id, revokeToken }) => server.secrets.revoke.mutate({ id, revokeToken }));
  await Promise.allSettled(calls);
}

/** One line per person, to be pasted into a message. */
export function listCopies(made: readonly Copy[]): string {
  return made.map(({ person, url }) => `${person}: ${url}`).join("\n");
}

/** The links as a table (RFC 4180), each with its id and revoke token. */
export function copiesToCsv(made: readonly Copy[]): string {
  const rows = made.map(({ person, url, expiry, id, revokeToken }) => [
    person,
    url,
    expiry,
    `${id}.${revokeToken}`,
  ]);
  return [["name", "link", "expiry", "revoke"], ...rows]
    .map((row) => `${row.map(quote).join(",")}\r\n`)
    .join("");
}

// Spreadsheets take a text with such a beginning for a formula (OWASP, CSV injection).
const FORMULA = /^[=+\-@\t\r]/;

function quote(field: string): string {
  return `"${(FORMULA.test(field) ? `'${field}` : field).replaceAll('"', '""')}"`;
}
