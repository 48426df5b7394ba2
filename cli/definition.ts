import { Command, InvalidArgumentError, Option, type OptionValues } from "@commander-js/extra-typings";

const EXAMPLES = new WeakMap<object, readonly string[]>();

/**
 * Begins the definition of a command, from which help, completion and man page are made too. The summary is one line for
 * the list of commands, the description whole sentences, and the examples are command lines without a prompt.
 */
export function defineCommand<Name extends string>(
  name: Name,
  { summary, description, examples }: { summary: string; description?: string; examples: readonly string[] },
) {
  const command = new Command(name).summary(summary).description(description ?? `${summary}.`);
  EXAMPLES.set(command, examples);
  command.addHelpText("after", `\nExamples:\n${examples.map((line) => `  ${line}`).join("\n")}`);
  return command;
}

export function examplesOf(command: object): readonly string[] {
  return EXAMPLES.get(command) ?? [];
}

const SUGGESTIONS = new WeakMap<Option, readonly string[]>();

/** Words that shells complete for an option that also takes other values. */
export function suggest<Suggested extends Option>(option: Suggested, words: readonly string[]): Suggested {
  SUGGESTIONS.set(option, words);
  return option;
}

export function suggestionsOf(option: Option): readonly string[] | undefined {
  return option.argChoices ?? SUGGESTIONS.get(option);
}

/** Options that several commands share, so that they have the same names and descriptions. */
export const shared = {
  output: () => new Option("-o, --output <file>", 'where to write; "-" is standard output'),
  force: () => new Option("--force", "replace a file that exists"),
  anyName: () => new Option("--any-name", "take the name that came with it also where it is dangerous"),
  json: () => new Option("--json", "print what the API answers, as JSON"),
  server: () => new Option("--server", "send it to the server of HUSHKIT_URL instead of working here"),
  passwordFd: () =>
    new Option("--password-fd <n>", "read the password from this file descriptor").argParser(readFdNumber),
  keyFile: () =>
    new Option("--key-file <file>", "a file in place of a password: anyone with the same file opens it"),
  withPassword: () => new Option("-p, --password", "ask for a password beside the key file"),
  cacert: () =>
    new Option("--cacert <file>", "trust servers of the authorities whose certificates are in this file too"),
  expires: () =>
    suggest(
      new Option(
        "-x, --expires <duration>",
        "lifetime, such as 15m, 1h, 7d or a number of seconds",
      ).argParser(readDuration),
      ["15m", "1h", "1d", "7d", "30d"],
    ),
  noNotify: () => new Option("--no-notify", "tell your hooks nothing of it; see `hushkit hook`"),
  trim: () => new Option("--trim", "leave out the line end of a text from standard input, which echo adds"),
  ticket: () =>
    new Option("--ticket <ticket>", "go on with what was read half-way, within ten minutes").argParser(
      readTicket,
    ),
  loginCode: () =>
    new Option(
      "--code <code>",
      "code of the authenticator app, where the account has one; asked for where it is missing",
    ),
  loginName: () => new Option("--name <name>", "name of the account; asked for where it is missing"),
} as const;

/** Adds the options of a command that logs in while it works, after its own. */
export function withLogin<Args extends unknown[], Own extends OptionValues>(
  command: Command<Args, Own>,
  json = shared.json(),
) {
  return command
    .addOption(shared.loginName())
    .addOption(shared.loginCode())
    .addOption(shared.passwordFd())
    .addOption(json);
}

const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;

/** Seconds of a duration such as "1h"; a number alone is seconds. */
function readDuration(text: string): number {
  const [, digits, unit = "s"] = /^(\d{1,9})([smhdw]?)$/.exec(text) ?? [];
  // The pattern allows no other letter.
  if (digits !== undefined) return Number(digits) * SECONDS[(unit || "s") as keyof typeof SECONDS];
  throw new InvalidArgumentError("A duration is a number with s, m, h, d or w, such as 1h.");
}

/** A parser for options that may be repeated. */
export function addValue(value: string, values: string[] = []): string[] {
  return [...values, value];
}

/** A parser for a list of words separated by commas; "none", the last of the words, stands alone. */
export function listOf<Word extends string>(words: readonly Word[]) {
  return (text: string): Word[] => {
    const names = text.split(",").map((name) => name.trim());
    const known = words.filter((each) => names.includes(each));
    if (names.every((name) => words.some((each) => each === name))) return known;
    throw new InvalidArgumentError(`It is a list of ${words.slice(0, -1).join(", ")}, or none.`);
  };
}

/** A parser for whole numbers within bounds. */
export function wholeNumberOf({ minimum, maximum }: { minimum: number; maximum: number }) {
  return (text: string): number => {
    const value = /^-?\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`It is a whole number from ${minimum} to ${maximum}.`);
  };
}

const RIGHT_ANGLES = [90, 180, 270, -90] as const;

/** An option that takes degrees of a turn. */
export function rightAngle<Flags extends string>(flags: Flags, description: string) {
  const readAngle = (text: string) => {
    const angle = RIGHT_ANGLES.find((each) => each === Number(text));
    if (angle !== undefined) return angle;
    throw new InvalidArgumentError(`It is one of ${RIGHT_ANGLES.join(", ")}.`);
  };
  return suggest(new Option(flags, description).argParser(readAngle), RIGHT_ANGLES.map(String));
}

// A ticket alone opens nothing, so it may be an argument.
function readTicket(text: string): string {
  if (/^[0-9A-Za-z]{32}$/.test(text)) return text;
  throw new InvalidArgumentError("It is 32 letters and digits.");
}

export function readFdNumber(text: string): number {
  return wholeNumberOf({ minimum: 0, maximum: 1023 })(text);
}
