import { Argument, type CommandUnknownOpts } from "@commander-js/extra-typings";
import { defineCommand, suggestionsOf } from "../definition.ts";
import { print, type Io } from "../terminal/io.ts";

export function completionCommand(io: Io, wholeProgram: () => Promise<CommandUnknownOpts>) {
  return defineCommand("completion", {
    summary: "Print a script that lets a shell complete commands and options",
    examples: [
      "hushkit completion bash > /etc/bash_completion.d/hushkit",
      "hushkit completion zsh > ~/.zsh/functions/_hushkit",
      "hushkit completion fish > ~/.config/fish/completions/hushkit.fish",
    ],
  })
    .addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish"] as const))
    .action(async (shell) => {
      await print(io, completionScript(await wholeProgram(), shell));
    });
}

/** What can follow a command, taken from the definition that also parses it. */
interface Completion {
  /** The words after the program's name, such as "pdf merge"; "" for the program itself. */
  readonly path: string;
  readonly commands: readonly CompletionEntry[];
  readonly options: readonly CompletionEntry[];
  /** Words that an option takes: all of its values, or suggestions. */
  readonly choices: ReadonlyMap<string, readonly string[]>;
  readonly operands: readonly string[];
}

interface CompletionEntry {
  readonly name: string;
  readonly about: string;
}

/** A script that completes commands, options and their values, and file names everywhere else. */
export function completionScript(program: CommandUnknownOpts, shell: "bash" | "zsh" | "fish"): string {
  const all = completionsOf(program, "");
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](all);
}

function completionsOf(command: CommandUnknownOpts, path: string): Completion[] {
  const own = {
    path,
    commands: command.commands.map((each) => ({ name: each.name(), about: each.summary() })),
    options: optionsOf(command),
    choices: choicesOf(command),
    operands: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
  };
  const nested = command.commands.flatMap((each) => completionsOf(each, `${path} ${each.name()}`.trim()));
  return [own, ...nested];
}

function optionsOf(command: CommandUnknownOpts): CompletionEntry[] {
  const own = command.options.flatMap(({ short, long, description }) =>
    [short, long].flatMap((name) => (name === undefined ? [] : [{ name, about: description }])),
  );
  return [...own, { name: "--help", about: "display help for command" }];
}

function choicesOf(command: CommandUnknownOpts): Map<string, readonly string[]> {
  const choices = new Map<string, readonly string[]>();
  for (const option of command.options) {
    const words = suggestionsOf(option);
    for (const name of [option.short, option.long]) if (name !== undefined && words) choices.set(name, words);
  }
  return choices;
}

function names(described: readonly CompletionEntry[]): string {
  return described.map(({ name }) => name).join(" ");
}

function wordsAt({ commands, operands, options }: Completion): string {
  return [names(commands), operands.join(" "), names(options)].filter((part) => part !== "").join(" ");
}

// Shared by bash and zsh: finds the command that the words so far lead to.
const FIND_PATH = `  local path="" word
  for word in "\${words[@]:1}"; do
    case "$path $word" in
`;

function pathCases(all: readonly Completion[], variable: string): string {
  return all
    .filter(({ path }) => path !== "")
    .map(({ path }) => {
      const parent = path.split(" ").slice(0, -1).join(" ");
      return `      "${parent} ${path.split(" ").at(-1)}") ${variable}="${path}" ;;\n`;
    })
    .join("");
}

function bashScript(all: readonly Completion[]): string {
  const choices = all.flatMap(({ path, choices: each }) =>
    [...each].map(
      ([option, values]) =>
        `    "${path} ${option}") COMPREPLY=($(compgen -W "${values.join(" ")}" -- "$cur")); return ;;\n`,
    ),
  );
  const words = all.map((each) => `    "${each.path}") candidates="${wordsAt(each)}" ;;\n`);
  return `# bash completion for hushkit
_hushkit() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" candidates=""
  local words=("\${COMP_WORDS[@]:0:COMP_CWORD}")
${FIND_PATH}${pathCases(all, "path")}    esac
  done
  case "$path $prev" in
${choices.join("")}  esac
  case "$path" in
${words.join("")}  esac
  candidates=$(compgen -W "$candidates" -- "$cur")
  local IFS=$'\\n'
  COMPREPLY=($candidates $(compgen -f -- "$cur"))
}
complete -o filenames -F _hushkit hushkit
`;
}

// In zsh, `path` is the search path for programs.
function zshScript(all: readonly Completion[]): string {
  const choices = all.flatMap(({ path, choices: each }) =>
    [...each].map(
      ([option, values]) => `    "${path} ${option}") compadd -- ${values.join(" ")}; return ;;\n`,
    ),
  );
  const words = all.map(
    (each) =>
      `    "${each.path}") candidates=(${[...each.commands, ...each.options].map(zshItem).join(" ")}${each.operands.map((word) => ` ${word}`).join("")}) ;;\n`,
  );
  return `#compdef hushkit
_hushkit() {
  local at="" word
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
${pathCases(all, "at")}    esac
  done
  case "$at \${words[CURRENT-1]}" in
${choices.join("")}  esac
  case "$at" in
${words.join("")}  esac
  _describe 'hushkit' candidates
  _files
}
if [ "$funcstack[1]" = "_hushkit" ]; then _hushkit "$@"; else compdef _hushkit hushkit; fi
`;
}

function zshItem({ name, about }: CompletionEntry): string {
  return `'${name}:${about.replaceAll("'", "").replaceAll(":", " -")}'`;
}

function fishScript(all: readonly Completion[]): string {
  const lines = all.flatMap((each) => [...fishCommands(each), ...fishOptions(each)]);
  return `# fish completion for hushkit\n${lines.join("\n")}\n`;
}

function fishCommands({ path, commands, operands }: Completion): string[] {
  const here =
    path === "" ? "__fish_use_subcommand" : `__fish_seen_subcommand_from ${path.split(" ").at(-1)}`;
  const known = commands.map(({ name }) => name).join(" ");
  const condition =
    path === "" || known === "" ? here : `${here}; and not __fish_seen_subcommand_from ${known}`;
  return [
    ...commands.map(({ name, about }) => fishLine(condition, `-a ${name} -d ${quoteFish(about)}`)),
    ...operands.map((word) => fishLine(condition, `-a ${word}`)),
  ];
}

function fishOptions({ path, options, choices }: Completion): string[] {
  if (path === "") return [];
  const condition = path
    .split(" ")
    .map((word) => `__fish_seen_subcommand_from ${word}`)
    .join("; and ");
  return options.map(({ name, about }) => {
    const flag = name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`;
    const values = choices.get(name);
    return fishLine(
      condition,
      `${flag} -d ${quoteFish(about)}${values ? ` -xa ${quoteFish(values.join(" "))}` : ""}`,
    );
  });
}

function fishLine(condition: string, rest: string): string {
  return `complete -c hushkit -n ${quoteFish(condition)} ${rest}`;
}

function quoteFish(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
