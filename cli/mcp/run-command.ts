import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { utf8 } from "../../wire/bytes.ts";
import { CliError, EXIT_MEANINGS, type ExitCode } from "../exit.ts";
import { describeFailure } from "../failure.ts";
import { once } from "../files/input.ts";
import type { Io, Output } from "../terminal/io.ts";

/** A command failed, and others may have chosen the words of the reason. */
export class CommandFailed extends Error {
  readonly told: string;

  constructor(exitCode: ExitCode, told: string) {
    super(`${EXIT_MEANINGS[exitCode]} What was said about it is under \`untrusted\`.`);
    this.name = "CommandFailed";
    this.told = told;
  }
}

/**
 * Runs a command of this program with JSON output and without a terminal, and returns that output.
 * @throws CommandFailed
 */
export async function runCommand(
  io: Io,
  define: (io: Io) => CommandUnknownOpts,
  of: {
    readonly argv: readonly string[];
    readonly stdin?: string | undefined;
    /** The content of file descriptor 3. */
    readonly passphrase?: string | undefined;
    /** Whether the command's own errors contain no text of a server. */
    readonly hasOwnWords?: true;
  },
): Promise<{ readonly printed: Readonly<Record<string, unknown>>; readonly warnings: string }> {
  const { argv, stdin = "", passphrase, hasOwnWords } = of;
  const [out, err] = [collector(), collector()];
  const inner: Io = {
    env: io.env,
    cwd: io.cwd,
    fetch: io.fetch,
    trust: io.trust,
    exitCode: 0,
    stdin: { isTerminal: false, read: () => once(utf8(stdin)) },
    stdout: out,
    stderr: err,
    ask: undefined,
    readFd: async () => passphrase ?? "",
    checkPlace: io.checkPlace,
  };
  const command = define(inner)
    .exitOverride()
    .configureOutput({ writeErr: () => {}, writeOut: () => {} });
  const given = passphrase === undefined ? argv : [...argv, "--password-fd", "3"];
  await command.parseAsync([...given], { from: "user" }).catch((error: unknown) => {
    const { exitCode, message, isFromServer } = describeFailure(error);
    if (hasOwnWords && !isFromServer) throw new CliError(exitCode, message);
    throw new CommandFailed(exitCode, message);
  });
  // With --json a command prints one object or nothing.
  const printed = JSON.parse(out.text() || "{}") as Record<string, unknown>;
  return { printed, warnings: err.text() };
}

function collector(): Output & { readonly text: () => string } {
  const parts: Buffer[] = [];
  return {
    isTerminal: false,
    write: async (data) => void parts.push(Buffer.from(data)),
    text: () => Buffer.concat(parts).toString("utf8"),
  };
}
