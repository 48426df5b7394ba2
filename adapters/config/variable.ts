import type { Kind } from "./values.ts";

export interface About {
  /** A text like one of the environment; read in the same way. */
  readonly fallback: string;
  readonly meaning: string;
  /** What docs/operations.md says beside it, as Markdown. */
  readonly more?: string;
  /** The value can hold a password, so no sentence quotes it. */
  readonly isSecret?: true;
  /** Whether NAME_FILE can name a file with the value, as containers are given secrets. */
  readonly hasFile?: true;
}

/** A variable of the environment: how it is read, and what help, guide and errors say of it. */
export type Variable<Value, Given> = Kind<Value, Given> & About;

export function variable<Value, Given>(kind: Kind<Value, Given>, about: About): Variable<Value, Given> {
  return { ...kind, ...about };
}
