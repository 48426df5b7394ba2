import { utf8 } from "../../wire/bytes.ts";
import { STANDARD } from "../files/input.ts";
import { startOutput } from "../files/output.ts";
import { note, print, type Io } from "../terminal/io.ts";

/**
 * Writes a text that can be had only once: the place for it is made before it is fetched.
 * @throws CliError usage where there is no such place; nothing was fetched then
 */
export async function handOutText<Got extends { text: string }>(
  io: Io,
  {
    output = STANDARD,
    force,
    json,
  }: {
    /** Standard output where it is absent. */
    output?: string | undefined;
    force?: true | undefined;
    /** Standard output has the JSON of it then. */
    json?: true | undefined;
  },
  fetchText: () => Promise<Got>,
): Promise<Got> {
  const writing = await startOutput(io, { path: output, force, isPrivate: true, isText: true });
  try {
    const got = await fetchText();
    if (output !== STANDARD) await writing.write(utf8(got.text));
    await writing.finish();
    if (output === STANDARD && !json) await printText(io, got.text);
    return got;
  } catch (error) {
    await writing.drop();
    throw error;
  }
}

/** Writes a text of somebody else to standard output, where a person sees its end. */
export async function printText(io: Io, text: string): Promise<void> {
  await print(io, text);
  if (io.stdout.isTerminal && !text.endsWith("\n")) await note(io, "");
}
