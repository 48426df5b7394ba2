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
  /** For each operand the words that it takes; none where it takes any. */
  readonly operands: readonly (readonly string[])[];
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
    operands: command.registeredArguments.map(({ argChoices }) => argChoices ?? []),
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

/**
 * Where the cursor can be after a command, as patterns of a shell: its path, and a dot for each operand so far. The
 * words of an operand fit in its place only.
 */
function placesOf(each: Completion): { patterns: string[]; words: readonly string[] }[] {
  const { path, commands, operands } = each;
  if (commands.length > 0) return [{ patterns: [path], words: [] }];
  const chosen = operands.flatMap((words, i) =>
    words.length > 0 ? [{ patterns: [path + ".".repeat(i)], words }] : [],
  );
  return [...chosen, { patterns: [path, `${path}.*`], words: [] }];
}

/** After a word where a command must be and none is: nothing fits there. */
function deadEnds(all: readonly Completion[]): string[] {
  return all.filter(({ commands }) => commands.length > 0).map(({ path }) => `${path}.*`);
}

/** For bash and zsh, where a quoted star is no pattern. */
function casePattern(patterns: readonly string[]): string {
  return patterns.map((each) => `"${each}"`.replace(/\*"$/, '"*')).join("|");
}

function names(described: readonly CompletionEntry[]): string {
  return described.map(({ name }) => name).join(" ");
}

// Shared by bash and zsh: finds the command that the words so far lead to, and a dot for each operand.
function findPlace(all: readonly Completion[], variable: string): string {
  const at = `$${variable}`;
  return `    case "${at}$dots $word" in
${pathCases(all, variable)}      *" --") ${variable}="${at} --" ;;
      *" help"|*" -"*) ;;
      *) dots+="." ;;
    esac
`;
}

function pathCases(all: readonly Completion[], variable: string): string {
  return stepsOf(all)
    .map(({ step, path }) => `      "${step}") ${variable}="${path}" ;;\n`)
    .join("");
}

/** Each command as the path before it and its name, which are "pdf merge", or " pdf" where none is before. */
function stepsOf(all: readonly Completion[]): { step: string; path: string }[] {
  const paths = all.map(({ path }) => path).filter((path) => path !== "");
  return paths.map((path) => ({ step: path.includes(" ") ? path : ` ${path}`, path }));
}

function bashScript(all: readonly Completion[]): string {
  const choices = all.flatMap(({ path, choices: each }) =>
    [...each].map(
      ([option, values]) =>
        `    "${path} ${option}") COMPREPLY=($(compgen -W "${values.join(" ")}" -- "$cur")); return ;;\n`,
    ),
  );
  const words = all.flatMap((each) =>
    placesOf(each).map(({ patterns, words: chosen }) => {
      const candidates = [names(each.commands), ...chosen, names(each.options)].filter((part) => part !== "");
      return `    ${casePattern(patterns)}) candidates="${candidates.join(" ")}" ;;\n`;
    }),
  );
  return `# bash completion for hushkit
_hushkit() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" candidates=""
  local words=("\${COMP_WORDS[@]:0:COMP_CWORD}")
  if [[ $cur == = ]]; then cur=""; elif [[ $prev == = ]]; then prev="\${COMP_WORDS[COMP_CWORD-2]}"; fi
  local path="" dots="" word
  for word in "\${words[@]:1}"; do
${findPlace(all, "path")}  done
  case "$path $prev" in
${choices.join("")}  esac
  case "$path$dots" in
${words.join("")}    ${casePattern(deadEnds(all))}) return ;;
  esac
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
  const words = all.flatMap((each) =>
    placesOf(each).map(({ patterns, words: chosen }) => {
      const candidates = [...[...each.commands, ...each.options].map(zshItem), ...chosen];
      return `    ${casePattern(patterns)}) candidates=(${candidates.join(" ")}) ;;\n`;
    }),
  );
  return `#compdef hushkit
_hushkit() {
  local at="" dots="" word option="\${words[CURRENT-1]}"
  local -a candidates
  if compset -P '--*='; then option="\${words[CURRENT]%%=*}"; fi
  for word in "\${(@)words[2,CURRENT-1]}"; do
${findPlace(all, "at")}  done
  case "$at $option" in
${choices.join("")}  esac
  case "$at$dots" in
${words.join("")}    ${casePattern(deadEnds(all))}) return ;;
  esac
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
  const cases = stepsOf(all).map(({ step, path }) => `      case '${step}'\n        set path '${path}'\n`);
  const groups = all.filter(({ commands }) => commands.length > 0).map(({ path }) => path);
  const lines = all.flatMap((each) => [...fishWords(each), ...fishOptions(each)]);
  return `# fish completion for hushkit
function __hushkit_at
  set -l path ''
  set -l dots ''
  set -l words (commandline -opc)
  for word in $words[2..]
    switch "$path$dots $word"
${cases.join("")}      case '* --'
        set path "$path --"
      case '* help' '* -*'
      case '*'
        set dots "$dots."
    end
  end
  for place in $argv
    string match -q -- $place "$path$dots"; and return 0
  end
  return 1
end
${fishLine([...groups, ...deadEnds(all)], "-f")}
${lines.join("\n")}
`;
}

function fishWords(each: Completion): string[] {
  const { path, commands } = each;
  return [
    ...commands.map(({ name, about }) => fishLine([path], `-a ${name} -d ${quoteFish(about)}`)),
    ...placesOf(each).flatMap(({ patterns, words }) =>
      words.length > 0 ? [fishLine(patterns, `-f -a ${quoteFish(words.join(" "))}`)] : [],
    ),
  ];
}

function fishOptions({ path, commands, options, choices }: Completion): string[] {
  const places = commands.length > 0 ? [path] : [path, `${path}.*`];
  return options.map(({ name, about }) => {
    const flag = name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`;
    const values = choices.get(name);
    return fishLine(
      places,
      `${flag} -d ${quoteFish(about)}${values ? ` -xa ${quoteFish(values.join(" "))}` : ""}`,
    );
  });
}

function fishLine(places: readonly string[], rest: string): string {
  const condition = `__hushkit_at ${places.map((place) => `"${place}"`).join(" ")}`;
  return `complete -c hushkit -n ${quoteFish(condition)} ${rest}`;
}

function quoteFish(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
