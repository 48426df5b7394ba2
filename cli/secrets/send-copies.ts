import { CliError } from "../exit.ts";
import { describeFailure } from "../failure.ts";
import { note, print, printJson, type Io } from "../terminal/io.ts";
import type { sendContent } from "./send-content.ts";

type MadeSecret = Awaited<ReturnType<typeof sendContent>>;

interface CopyOptions {
  readonly copies: number;
  readonly csv: true | undefined;
  readonly json: true | undefined;
  readonly send: () => Promise<MadeSecret>;
}

/** Makes a secret of the same content for each of several people, and prints the links while they are made. */
export async function sendCopies(io: Io, { copies, csv, json, send }: CopyOptions): Promise<void> {
  const made: MadeSecret[] = [];
  if (csv) await print(io, "number,link,revoke\n");
  try {
    while (made.length < copies) {
      const secret = await send();
      made.push(secret);
      // No part of a row has a comma, a quote or a line break.
      const { url, id, revokeToken } = secret;
      if (csv) await print(io, `${made.length},${url},${id}.${revokeToken}\n`);
      else if (!json) await print(io, `${url}\n`);
    }
  } catch (error) {
    throw made.length === 0 ? error : endedEarly(error, { made: made.length, copies });
  } finally {
    if (json) await printJson(io, made);
  }
  await note(io, `Each opens once, until ${made[0]?.expiry}, and has a status of its own.`);
}

function endedEarly(error: unknown, { made, copies }: { made: number; copies: number }): CliError {
  const { exitCode, message } = describeFailure(error);
  return new CliError(
    exitCode,
    `Only ${made} of ${copies} links were made; what was printed is good. ${message}`,
  );
}
