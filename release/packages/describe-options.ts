import { z } from "zod";
import { camelCase, embeddedVariables } from "../../adapters/config/settings.ts";
import { commentOf } from "./describe-router.ts";

/** The parts of JSON Schema that the types of options need. */
interface GivenType {
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly items?: GivenType;
  readonly anyOf?: readonly GivenType[];
}

// The form in which the compiler writes the types of server/index.ts.
const DERIVED =
  /(?:type|interface) (\w+) (?:= |extends )\w+<ReturnType<typeof embeddedVariables>\["(\w+)"\]>(.*)\n/g;
const REQUIRED = /^ +readonly (publicUrl): string;\n/m;

/** The declaration of the server, with each option written out below a sentence. */
export function describeOptions(declaration: string): string {
  const required = REQUIRED.exec(declaration)?.[1];
  const groups = embeddedVariables();
  return declaration
    .replace(/^import .*\bembeddedVariables\b.*\n/m, "")
    .replace(REQUIRED, "")
    .replaceAll(DERIVED, (_, name: string, group: keyof typeof groups, end: string) => {
      const options = Object.entries(groups[group]).map(([variable, { meaning, legal, fallback, given }]) => {
        const option = camelCase(variable);
        const isRequired = option === required;
        const description = `${meaning} Must be ${legal}.`;
        const comment = commentOf(isRequired ? { description } : { description, default: fallback });
        const type = typeOf(z.toJSONSchema(given) as GivenType);
        return `    ${comment}\n    readonly ${option}${isRequired ? "" : "?"}: ${type};\n`;
      });
      return `interface ${name} {\n${options.join("")}${end === ";" ? "}\n" : ""}`;
    });
}

function typeOf({ type = [], enum: words, items, anyOf }: GivenType): string {
  if (anyOf) return anyOf.map(typeOf).join(" | ");
  if (words) return words.map((word) => JSON.stringify(word)).join(" | ");
  const written = items ? `readonly ${typeOf(items)}[]` : [type].flat().join(" | ");
  if (written === "") throw new Error("An option has a type that declarations do not know");
  return written;
}
