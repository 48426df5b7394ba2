import type { Parameter } from "../schema/input.ts";

/** Something that was ignored, reported with the result. */
export interface Warning {
  readonly code: string;
}

// They are sent in headers, and some clients refuse an answer with more than 8 KiB of those.
const MAX_WARNINGS = 10;

/** Warns of a name that was ignored and suggests the nearest one; after many names it stops naming them. */
export function warnUnknownParameter(
  warnings: Warning[],
  { name, parameters }: { name: string; parameters: readonly Pick<Parameter, "name">[] },
): void {
  const known = parameters.map((parameter) => parameter.name);
  if (warnings.length < MAX_WARNINGS) warnings.push(describe(name, known));
  else if (warnings.length === MAX_WARNINGS) warnings.push({ code: "more_unknown_parameters" });
}

function describe(name: string, known: readonly string[]): Warning & { parameter: string; nearest?: string } {
  const parameter = name.replace(/[^\x21-\x7e]/g, "?").slice(0, 64);
  const nearest = nearestOf(name, known);
  return { code: "unknown_parameter", parameter, ...(nearest !== undefined && { nearest }) };
}

function nearestOf(name: string, known: readonly string[]): string | undefined {
  const wanted = name.slice(0, 64).toLowerCase();
  const ranked = known.map((each) => ({ each, distance: editDistance(wanted, each.toLowerCase()) }));
  const [best] = ranked.sort((a, b) => a.distance - b.distance);
  return best && best.distance <= Math.ceil(best.each.length / 3) ? best.each : undefined;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    let [diagonal, left] = [i - 1, i];
    row = row.map((above, j) => {
      if (j === 0) return left;
      const replaced = diagonal + (a[i - 1] === b[j - 1] ? 0 : 1);
      diagonal = above;
      left = Math.min(replaced, above + 1, left + 1);
      return left;
    });
  }
  return row.at(-1) ?? 0;
}
