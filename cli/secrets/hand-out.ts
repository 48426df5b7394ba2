import { utf8 } from "../../wire/bytes.ts";
import { onSignal } from "../files/draft.ts";
import { STANDARD } from "../files/input.ts";
import { fillOutput, startOutput } from "../files/output.ts";
import { complain, failureLine, note, print, type Io, warn } from "../terminal/io.ts";
import { CliError, EXIT } from "../exit.ts";
import { describeFailure } from "../failure.ts";

const TICKET_LENGTH = 32;

interface Delivery<Result> {
  readonly io: Io;
  /** The ticket of an earlier run; a new one is made where it is absent. */
  readonly ticket: string | undefined;
  /** The command line without the link. */
  readonly command: string;
  /** Reads and writes the content. */
  readonly take: (ticket: string) => Promise<Result>;
  /** Confirms that it was received. */
  readonly confirm: (ticket: string) => Promise<unknown>;
}

/**
 * Receives what can be read only once, and confirms it once it is written. Where that fails half-way, or Ctrl-C ends
 * it, the error says how to try again.
 */
export async function takeOnce<Result>(delivery: Delivery<Result>): Promise<Result> {
  const { io, command, take, confirm } = delivery;
  const ticket = delivery.ticket ?? (await makeTicket());
  const advice = `Within ten minutes it can be had with: ${command} LINK --ticket ${ticket}`;
  const forget = onSignal(
    () => void complain(io.stderr, failureLine(`It was not read to its end. ${advice}`)),
  );
  const taken = take(ticket).then(async (result) => {
    // The server deletes it then, and a power cut must not take the only copy.
    await io.stdout.sync?.();
    return result;
  });
  const result = await taken.finally(forget).catch((error: unknown) => {
    const { exitCode, message } = describeFailure(error);
    const isOurs = error instanceof CliError && exitCode !== EXIT.network;
    if (isOurs || exitCode === EXIT.gone || exitCode === EXIT.password || exitCode === EXIT.limit)
      throw error;
    throw new CliError(exitCode, `${message} ${advice}`);
  });
  await confirm(ticket).catch(() =>
    warn(io, ["the server could not be told that it was received, and deletes it after ten minutes"]),
  );
  return result;
}

async function makeTicket(): Promise<string> {
  const { randomBase62 } = await import("../../tools/crypto/base62.ts");
  return randomBase62(TICKET_LENGTH);
}

/**
 * Writes a text that can be read only once; the output is prepared before the text is fetched.
 * @throws CliError usage where it cannot be; nothing is fetched then
 */
export async function handOutText<Got extends { text: string }>(
  io: Io,
  to: { output?: string | undefined; force?: true | undefined; json?: true | undefined },
  fetchText: () => Promise<Got>,
): Promise<Got> {
  const { output: path = STANDARD, force, json } = to;
  const { finish, ...output } = await startOutput(io, { path, force, isPrivate: true, isText: true });
  const got = await fillOutput({ ...output, finish: () => afterFetch(finish) }, async (write) => {
    const fetched = await fetchText();
    if (path !== STANDARD) await write(utf8(fetched.text));
    return fetched;
  });
  // Standard output gets the JSON, or the text as a person reads it.
  if (path === STANDARD && !json) await printText(io, got.text);
  return got;
}

/**
 * Runs what follows the fetch of a content. If it fails, for whatever reason, `takeOnce` says how to fetch the content
 * again.
 */
export async function afterFetch<Result>(work: () => Promise<Result>): Promise<Result> {
  return work().catch((cause: unknown) => {
    throw cause instanceof CliError ? new Error("", { cause }) : cause;
  });
}

/** Writes somebody else's text to standard output, so that a person sees where it ends. */
export async function printText(io: Io, text: string): Promise<void> {
  await print(io, text);
  if (io.stdout.isTerminal && !text.endsWith("\n")) await note(io, "");
}
