import { z } from "zod";
import type { Kind } from "./values.ts";

export interface About {
  /** A text like one of the environment; read in the same way. */
  readonly fallback: string;
  readonly meaning: string;
  /** What docs/operations.md says beside it, as Markdown. */
  readonly more?: string;
  /** The value can hold a password, so no sentence quotes it. */
  readonly isSecret?: true;
}

/** What help, guide and errors say of a variable. */
const variables = z.registry<About & { legal: string }>();

/** What is known of a variable. */
export function aboutOf(schema: z.ZodType): About & { legal: string } {
  const about = variables.get(schema);
  if (!about) throw new TypeError("A variable is registered where it is declared.");
  return about;
}

/** A variable that is empty or blank counts as absent. */
export function variable<Value>({ schema, legal }: Kind<Value>, about: About) {
  const text = z.string().optional();
  return text
    .transform((given) => given?.trim() || about.fallback)
    .pipe(schema)
    .register(variables, { ...about, legal });
}
