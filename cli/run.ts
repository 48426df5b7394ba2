import { CommanderError, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { CliError, EXIT, isClosedPipe, usageError } from "./exit.ts";
import type { CommandFailure } from "./failure.ts";
import { programFor, type ParserOutput } from "./program.ts";
import { complain, failureLine, print, type Io } from "./terminal/io.ts";

/** Runs the command line and returns the exit code. All errors are shown as sentences, never as a stack trace. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  const said: ParserOutput = { out: "", err: "" };
  try {
    refuseSecrets(argv);
    const program = await programFor(argv, io, said);
    const code = await program.parseAsync([...argv], { from: "user" }).then(
      () => undefined,
      (error: unknown) => explain(error, { argv, program, said }),
    );
    await tell(io, said);
    return code ?? io.exitCode;
  } catch (error) {
    if (isClosedPipe(error)) return io.exitCode;
    const code = await explain(error, { argv, program: undefined, said });
    // If standard output failed, it is not tried again.
    await tell(io, { ...said, out: "" }).catch(() => {});
    return code;
  } finally {
    // What was begun first ends last: the input, without which the process may be over.
    for (const end of (io.atEnd ?? []).toReversed()) await end();
  }
}

async function tell(io: Io, { out, err }: ParserOutput): Promise<void> {
  if (out !== "") await print(io, out);
  if (err !== "") await complain(io.stderr, err);
}

async function explain(
  error: unknown,
  of: { argv: readonly string[]; program: CommandUnknownOpts | undefined; said: ParserOutput },
): Promise<number> {
  const { argv, program, said } = of;
  if (isClosedPipe(error)) throw error;
  // The parser has already printed the error, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  // Loaded only now: it needs the client, to recognize the server's errors.
  const { describeFailure } = await import("./failure.ts");
  const failure = describeFailure(error);
  const message = program ? nameOption(failure, findCommand(program, argv)) : failure.message;
  if (message !== "") said.err += failureLine(message);
  return failure.exitCode;
}

/** The API speaks of parameters; a user knows the option by its own name. */
function nameOption({ message, parameter = "" }: CommandFailure, command: CommandUnknownOpts): string {
  return message
    .replace(/^(Parameter )?"(\w+)"/, (found, isParameter: string | undefined, name: string) => {
      if (isParameter === undefined && name !== parameter) return found;
      // No option takes a password; --password asks for one.
      return (name === "password" ? undefined : flagsOf(name, command)) ?? `The ${name}`;
    })
    .replace(OTHERS, (found, name: string) => flagsOf(name, command) ?? found);
}

/** Quoted names, but not what somebody has typed. */
const OTHERS = /(?<!\b(?:received|item|with) )"(\w+)"/g;

function flagsOf(parameter: string, command: CommandUnknownOpts): string | undefined {
  const option = command.options.find(
    (each) => each.attributeName() === parameter || each.long === `--${parameter}`,
  );
  return option && [option.short, option.long].filter((flag) => flag !== undefined).join(", ");
}

function findCommand(parent: CommandUnknownOpts, [name, ...rest]: readonly string[]): CommandUnknownOpts {
  const child = parent.commands.find((each) => each.name() === name);
  return child ? findCommand(child, rest) : parent;
}

const PASSWORD_OPTION = /^--?(pass|passwd|(?:owner-?)?password|passphrase|pw|open-?with|token)(=.*)?$/i;
const TOKEN = /service_token_[0-9A-Za-z]/;
// Also finds a mistyped option, which the parser would repeat in its message.
const DATABASE_URL = /^(?:--?[a-z-]+=)?\w*(?:postgres|sql)\w*:\/\//i;
const IDENTITY = /AGE-SECRET-KEY-(?:PQ-)?1/i;

const REASON =
  "everybody on this machine can read the arguments of a program, and the shell keeps them in its history. ";
const ELSEWHERE = "Wait for the prompt, or use --password-fd N or HUSHKIT_PASSWORD.";

const IDENTITY_ELSEWHERE =
  "Keep it in a file, which --identity FILE names; --recipient takes its public key, age1….";
const DATABASE_ELSEWHERE =
  "Commands take it from DATABASE_URL, and `hushkit admin move` the other one from MOVE_TO_DATABASE_URL or --to-file FILE.";

/**
 * Refuses passwords, tokens, secret keys and database URLs among the arguments, and never repeats them.
 * @throws CliError usage
 */
function refuseSecrets(argv: readonly string[]): void {
  if (argv.some((word) => DATABASE_URL.test(word)))
    throw refused(`The URL of a database is not taken as an argument: ${REASON}`, DATABASE_ELSEWHERE);
  const end = argv.indexOf("--");
  for (const word of end < 0 ? argv : argv.slice(0, end)) {
    const [, option] = PASSWORD_OPTION.exec(word) ?? [];
    if (option) throw refused(`--${option.toLowerCase()} is not taken: ${REASON}`, insteadOf(option));
    if (/^-p./.test(word)) throw refused(`-p takes no value: ${REASON}`, ELSEWHERE);
    if (TOKEN.test(word)) throw refused(`A token is not taken as an argument: ${REASON}`, insteadOf("token"));
    if (IDENTITY.test(word))
      throw refused(`A secret identity is not taken as an argument: ${REASON}`, IDENTITY_ELSEWHERE);
  }
}

function insteadOf(option: string): string {
  return option.toLowerCase() === "token" ? "Use HUSHKIT_TOKEN or `hushkit login`." : ELSEWHERE;
}

function refused(sentence: string, advice: string): CliError {
  return usageError(sentence + advice);
}
