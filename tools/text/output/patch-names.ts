import { ToolFailure } from "../../../wire/tool-failure.ts";

const MAX_NAME_LENGTH = 255;
const DEFAULT_NAME = "text";
/** Stands for a missing file on every system; the other file is created or deleted. */
const NOWHERE = "/dev/null";

/**
 * The two lines that begin a patch. A name is a relative path: what `patch` or `git apply` would refuse to write
 * to (absolute paths, `..`, `.git`) is left out of it. `/dev/null` stays: the file is created or deleted.
 * @throws ToolFailure invalid_parameter for a name that is too long or no text of one line
 */
export function patchHeader({ nameA, nameB }: { nameA?: string | undefined; nameB?: string | undefined }) {
  const [a, b] = [checkName("nameA", nameA), checkName("nameB", nameB)];
  return `--- ${nameInPatch("a", a)}\n+++ ${nameInPatch("b", b)}\n`;
}

/** @throws ToolFailure invalid_parameter */
export function checkName(parameter: "nameA" | "nameB", name: string = DEFAULT_NAME): string {
  if ([...name].length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name) || !name.isWellFormed()) {
    const message = `Parameter "${parameter}" may have up to ${MAX_NAME_LENGTH} characters and no control characters`;
    throw new ToolFailure("invalid_parameter", message, { parameter, minimum: 0, maximum: MAX_NAME_LENGTH });
  }
  if (name === NOWHERE) return name;
  const segments = name.split("/").filter((segment) => !isRefused(segment));
  return segments.join("/") || DEFAULT_NAME;
}

function isRefused(segment: string): boolean {
  return /^\.{0,2}$/.test(segment) || /^(\.git|git~1)([ .:].*)?$/i.test(segment);
}

function nameInPatch(side: "a" | "b", name: string): string {
  return name === NOWHERE ? name : quoteName(`${side}/${name}`);
}

/** As git writes a name: quoted as in C, or with a tab after it if only spaces could end it too early. */
function quoteName(name: string): string {
  const quoted = quotePath(name);
  return quoted === name && /\s/.test(name) ? `${name}\t` : quoted;
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\t": "\\t",
  "\n": "\\n",
  "\v": "\\v",
  "\f": "\\f",
  "\r": "\\r",
  '"': '\\"',
  "\\": "\\\\",
};

/** A path as git writes it with `core.quotePath=false`: in quotes as in C where it has characters that need them. */
export function quotePath(path: string): string {
  const escaped = path.replace(/["\\\x00-\x1f\x7f]/g, (character) => ESCAPES[character] ?? octal(character));
  return escaped === path ? path : `"${escaped}"`;
}

function octal(character: string): string {
  return `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
}
