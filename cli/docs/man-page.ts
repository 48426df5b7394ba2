import type { CommandUnknownOpts, Option } from "@commander-js/extra-typings";
import { EXIT, EXIT_MEANINGS } from "../exit.ts";
import { examplesOf } from "../definition.ts";

const ENVIRONMENT: Readonly<Record<string, string>> = {
  HUSHKIT_URL: "Address of the server, such as https://hush.example. It wins over the login.",
  HUSHKIT_TOKEN: "API token. It wins over the login.",
  HUSHKIT_PASSWORD: "The password, where a command needs one.",
  XDG_CONFIG_HOME: "Where the folder hushkit with config.json is; ~/.config where it is not set.",
  NO_COLOR: "No colors, also on a terminal.",
  FORCE_COLOR: "Colors everywhere, whatever NO_COLOR says; 0 or false is none.",
  HTTPS_PROXY: "Proxy of https addresses, such as http://proxy.example:3128; https_proxy too.",
  HTTP_PROXY: "Proxy of http addresses; http_proxy too.",
  NO_PROXY: "Hosts that are asked without a proxy, with commas between them; no_proxy too.",
  NODE_EXTRA_CA_CERTS: "A file with certificates of authorities to trust too, as --cacert.",
};

/** The manual page in man(7), from the definitions that also parse the command line. */
export function manPage(program: CommandUnknownOpts): string {
  return [
    `.TH HUSHKIT 1 "" "hushkit ${program.version()}" "User Commands"`,
    ".SH NAME",
    `hushkit \\- ${escape(lowerFirst(program.description().replace(/\.$/, "")))}`,
    ".SH SYNOPSIS",
    ".B hushkit\n.I COMMAND\n[options]",
    ".SH COMMANDS",
    ...program.commands.flatMap((command) => commandEntry(command, command.name())),
    ".SH ENVIRONMENT",
    ...Object.entries(ENVIRONMENT).map(([name, about]) => entry(name, about)),
    ".SH EXIT STATUS",
    ...Object.values(EXIT).map((code) => entry(String(code), EXIT_MEANINGS[code])),
    "",
  ].join("\n");
}

function commandEntry(command: CommandUnknownOpts, path: string): string[] {
  const nested = command.commands.flatMap((each) => commandEntry(each, `${path} ${each.name()}`));
  return [
    `.SS ${escape(usageOf(command, path))}`,
    escape(command.description()),
    ...command.registeredArguments.map((each) => entry(each.name(), each.description)),
    ...command.options.map((option) => entry(option.flags, optionText(option))),
    ".PP\nExamples:\n.EX",
    ...examplesOf(command).map(escape),
    ".EE",
    ...nested,
  ];
}

function usageOf(command: CommandUnknownOpts, path: string): string {
  const operands = command.registeredArguments.map((each) => {
    const name = each.variadic ? `${each.name()}...` : each.name();
    return each.required ? `<${name}>` : `[${name}]`;
  });
  return [path, ...operands].join(" ");
}

function optionText(option: Option): string {
  const { description, argChoices, defaultValue, defaultValueDescription, negate } = option;
  const choices = argChoices ? `; one of ${argChoices.join(", ")}` : "";
  const hasDefault = defaultValue !== undefined && typeof defaultValue !== "boolean" && !negate;
  const usual = hasDefault ? ` (default: ${defaultValueDescription ?? String(defaultValue)})` : "";
  return `${description}${choices}${usual}`;
}

function entry(name: string, about: string): string {
  return `.TP\n.B ${escape(name)}\n${escape(about)}`;
}

// A line that begins with a dot or an apostrophe is a request; a bare hyphen is typeset as a dash.
function escape(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^([.'])/gm, "\\&$1");
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
