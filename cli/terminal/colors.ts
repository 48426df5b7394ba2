import type { Io } from "./io.ts";
import { paintBy } from "./show-controls.ts";

const SGR = { bold: 1, dim: 2, red: 31, green: 32, magenta: 35, cyan: 36 } as const;

const RESET = 0;

/** Paints for `print`, which lets through these colours alone. */
export type Paint = (color: keyof typeof SGR, text: string) => string;

/**
 * Colours for standard output: on a terminal, and not where NO_COLOR is set (no-color.org). FORCE_COLOR overrules both
 * (force-color.org); 0 and false turn it off, as in Node.
 */
export function painter({ stdout, env }: Io): Paint {
  const hasColors = env.FORCE_COLOR
    ? !/^(?:0|false)$/.test(env.FORCE_COLOR)
    : stdout.isTerminal && !env.NO_COLOR && env.TERM !== "dumb";
  return (color, text) =>
    hasColors && text !== "" ? `${paintBy(SGR[color])}${text}${paintBy(RESET)}` : text;
}
