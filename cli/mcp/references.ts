import { usageError } from "../exit.ts";
import { readTextInput } from "../files/input.ts";
import type { Io } from "../terminal/io.ts";
import type { AllowedFolders } from "./allowed-folders.ts";

/** Longer than any password, key or link. */
const MAX_BYTES = 65_536;

/** The schema of a parameter that names a text, which the model itself never sees. */
export function referenceTo(what: string) {
  const description = `file:PATH or env:NAME, never the text itself. ${what}`;
  return { type: "string", pattern: "^(file|env):.", description } as const;
}

interface Reference {
  readonly is: "file" | "env";
  /** The name of the file or of the variable. */
  readonly name: string;
}

/** @throws CliError usage for a text in the place of a reference; the text is not repeated */
export function parseReference(parameter: string, text: string): Reference {
  const [, is, name] = /^(file|env):(.+)$/s.exec(text) ?? [];
  if (name !== undefined && (is === "file" || is === "env")) return { is, name };
  throw usageError(
    `Parameter "${parameter}" names a file or a variable that holds it, as file:PATH or env:NAME: nothing secret may pass through the model.`,
  );
}

/** Reads the password, key or link that a reference leads to. @throws CliError usage, limit */
export async function readReference(
  io: Io,
  folders: AllowedFolders,
  { parameter, text }: { parameter: string; text: string },
): Promise<string> {
  const reference = parseReference(parameter, text);
  if (reference.is === "env") return readVariable(io, { parameter, name: reference.name });
  const path = await folders.findInput({ parameter, path: reference.name }, { maxBytes: MAX_BYTES });
  // As with --password-fd, a line end is dropped: `echo` adds one and `printf` does not.
  const held = (await readTextInput(io, path)).replace(/\r?\n$/, "");
  if (held !== "") return held;
  throw usageError(`Parameter "${parameter}": there is nothing in that file.`);
}

/** @throws CliError usage where it is not set, or is one of this program's own variables */
export function readVariable({ env }: Io, { parameter, name }: { parameter: string; name: string }): string {
  const subject = `Parameter "${parameter}"`;
  // Otherwise a model could send away this program's own API token.
  if (/^hushkit_/i.test(name))
    throw usageError(`${subject}: the variables that begin with HUSHKIT_ are this program's own.`);
  const value: unknown = env[name];
  // The environment also answers to what every object has, such as `constructor`.
  if (typeof value === "string" && value !== "") return value;
  const shown = name.length > 64 ? `${name.slice(0, 64)}…` : name;
  throw usageError(`${subject}: \`hushkit mcp\` was started without this variable, env:${shown}.`);
}
