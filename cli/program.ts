import { Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import about from "../package.json" with { type: "json" };
import { shared } from "./definition.ts";
import type { Io } from "./terminal/io.ts";

type CommandFactory = (io: Io, wholeProgram: () => Promise<CommandUnknownOpts>) => CommandUnknownOpts;

/** Every command, loaded only when it is used, so that `hushkit password` starts quickly. */
const COMMANDS: Readonly<Record<string, () => Promise<CommandFactory>>> = {
  send: async () => (await import("./commands/secrets/send.ts")).sendCommand,
  open: async () => (await import("./commands/secrets/open.ts")).openCommand,
  status: async () => (await import("./commands/secrets/status.ts")).statusCommand,
  revoke: async () => (await import("./commands/secrets/status.ts")).revokeCommand,
  ask: async () => (await import("./commands/requests/ask.ts")).askCommand,
  answer: async () => (await import("./commands/requests/answer.ts")).answerCommand,
  collect: async () => (await import("./commands/requests/collect.ts")).collectCommand,
  close: async () => (await import("./commands/requests/ask.ts")).closeCommand,
  list: async () => (await import("./commands/secrets/list.ts")).listCommand,
  pdf: async () => (await import("./commands/files/pdf.ts")).pdfCommand,
  image: async () => (await import("./commands/files/image.ts")).imageCommand,
  diff: async () => (await import("./commands/files/diff.ts")).diffCommand,
  hash: async () => (await import("./commands/files/hash.ts")).hashCommand,
  lock: async () => (await import("./commands/files/lock.ts")).lockCommand,
  unlock: async () => (await import("./commands/files/unlock.ts")).unlockCommand,
  keygen: async () => (await import("./commands/files/keygen.ts")).keygenCommand,
  password: async () => (await import("./commands/files/password.ts")).passwordCommand,
  login: async () => (await import("./commands/account/login.ts")).loginCommand,
  logout: async () => (await import("./commands/account/login.ts")).logoutCommand,
  token: async () => (await import("./commands/account/token.ts")).tokenCommand,
  hook: async () => (await import("./commands/account/hook.ts")).hookCommand,
  serve: async () => (await import("./commands/serve.ts")).serveCommand,
  admin: async () => (await import("./commands/admin.ts")).adminCommand,
  mcp: async () => (await import("./commands/mcp.ts")).mcpCommand,
  verify: async () => (await import("./commands/verify.ts")).verifyCommand,
  completion: async () => (await import("./commands/completion.ts")).completionCommand,
};

const HELP_WIDTH = 100;

/** What the parser would print at once; it is printed once it is known how the command ended. */
export interface ParserOutput {
  out: string;
  err: string;
}

/** The program with the command that the arguments name, or with all commands where they name none. */
export async function programFor(argv: readonly string[], io: Io, said: ParserOutput) {
  const [first = ""] = argv;
  const load = COMMANDS[first];
  // Commands do not define the version.
  const isVersion = first === "--version" || first === "-V";
  const loads = load ? [load] : Object.values(isVersion ? {} : COMMANDS);
  return makeProgram(await Promise.all(loads.map((each) => each())), io, said);
}

/** The program with every command, for completion and the man page. */
export function wholeProgram(io: Io): Promise<CommandUnknownOpts> {
  return programFor([], io, { out: "", err: "" });
}

function makeProgram(defines: readonly CommandFactory[], io: Io, said: ParserOutput): CommandUnknownOpts {
  const program = new Command("hushkit")
    .description("Share a secret once, and work on files without sending them anywhere.")
    .version(about.version)
    .usage("COMMAND [options]")
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({ helpWidth: HELP_WIDTH, showGlobalOptions: false })
    .configureOutput({
      writeOut: (text) => void (said.out += text),
      writeErr: (text) => void (said.err += text),
      outputError: (text, write) => write(withGroup(program, text.replace(/^error: /, "hushkit: "))),
    })
    .showHelpAfterError("(--help shows what is possible)")
    .addHelpText("after", FOOTER);
  for (const define of defines) program.addCommand(define(io, () => wholeProgram(io)));
  program.commands.filter((command) => !OFFLINE.includes(command.name())).forEach(addAuthorities);
  program.hook("preAction", (_, command) => refuseEmpty(command));
  program.hook("preAction", (_, command) => trustNamed(io, command));
  inherit(program);
  return program;
}

/** Names a command that is one of a group's, where the parser names one that is spelled alike: `pdf merge`, not `image`. */
function withGroup({ commands }: CommandUnknownOpts, text: string): string {
  const [unknown, name = ""] = /^hushkit: unknown command '([a-z]+)'\n/.exec(text) ?? [];
  const group = commands.find((each) => each.commands.some((command) => command.name() === name));
  return unknown && group ? `${unknown}(Did you mean ${group.name()} ${name}?)\n` : text;
}

/** Commands that contact no server. */
const OFFLINE: readonly string[] = ["keygen", "password", "serve", "admin", "completion"];

function addAuthorities(command: CommandUnknownOpts): void {
  if (command.commands.length === 0) command.addOption(shared.cacert());
  command.commands.forEach(addAuthorities);
}

// An unset variable of the shell is an empty word, and as a path that would be the folder of the command.
function refuseEmpty(command: CommandUnknownOpts): void {
  const { registeredArguments, args, options } = command;
  const operand = args.includes("") && (registeredArguments[args.indexOf("")] ?? registeredArguments.at(-1));
  if (operand)
    command.error(
      `error: command-argument value '' is invalid for argument '${operand.name()}'. It is empty.`,
    );
  const isEmpty = (name: string) => [command.getOptionValue(name)].flat().includes("");
  // A text may be empty, such as the separator of a passphrase's words.
  const empty = options.find((each) => /<(?!text>)/.test(each.flags) && isEmpty(each.attributeName()));
  if (empty) command.error(`error: option '${empty.flags}' argument '' is invalid. It is empty.`);
}

async function trustNamed(io: Io, command: CommandUnknownOpts): Promise<void> {
  const { cacert } = command.opts();
  if (typeof cacert !== "string") return;
  // Parsed options are passed on to commands.
  command.setOptionValue("cacert", undefined);
  const { trustFile } = await import("./server/config.ts");
  await trustFile(io, cacert);
}

const FOOTER = `
Examples:
  hushkit send -x 1h < notes.txt
  hushkit pdf merge a.pdf b.pdf:1-3 -o both.pdf

\`hushkit COMMAND --help\` says more. Everything is in docs/cli.md and in \`man hushkit\`.`;

// Separately defined commands do not inherit how the program reports errors.
function inherit(parent: CommandUnknownOpts): void {
  for (const command of parent.commands) {
    command.copyInheritedSettings(parent);
    inherit(command);
  }
}
