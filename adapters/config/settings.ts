import { availableParallelism, totalmem } from "node:os";
import process from "node:process";
import type { z } from "zod";
import type { Kind, Machine } from "./values.ts";
import { variablesOf } from "./variables.ts";

/** Everything that the server reads from the environment, by name. Cached: making the schemas takes milliseconds. */
export function allVariables({ memoryBytes, cores }: Machine = readMachine()): Variables {
  if (last?.memoryBytes !== memoryBytes || last.cores !== cores) {
    last = { memoryBytes, cores, variables: makeVariables({ memoryBytes, cores }) };
  }
  return last.variables;
}

type Variables = ReturnType<typeof makeVariables>;
let last: (Machine & { readonly variables: Variables }) | undefined;

function makeVariables(machine: Machine) {
  const { server, limits, instance, login, events } = variablesOf(machine);
  return { ...server, ...limits, ...instance, ...login, ...events };
}

// Without a limit, the runtimes report a number larger than any memory (Node, Deno) or the machine's (Bun).
function readMachine(): Machine {
  const constrained = process.constrainedMemory() || Infinity;
  return { memoryBytes: Math.min(totalmem(), constrained), cores: availableParallelism() };
}

/** A variable's name in a program: PUBLIC_URL is publicUrl. */
export function camelCase(name: string): string {
  return name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name & string>;

/** All settings of the server. */
export type Config = {
  readonly [Name in keyof Variables as CamelCase<Name>]: z.output<Variables[Name]["schema"]>;
};

/** Settings as a program passes them. */
export type SettingOptions<Group extends Readonly<Record<string, Kind<unknown, unknown>>>> = {
  readonly [Name in keyof Group as CamelCase<Name>]?: z.output<Group[Name]["given"]>;
};

/** The settings of an embedding program, which listens and stops by itself. */
export function embeddedVariables() {
  const { server, instance, limits, events } = variablesOf(readMachine());
  const { PASSPHRASE, TOOLS, ...amounts } = limits;
  const own = without(server, [
    ...(["PORT", "HOST", "METRICS_PORT", "DRAIN_SECONDS"] as const),
    ...(["MOVE_TO_DATABASE_URL", "INSTANCE_KEY_NEXT"] as const),
  ]);
  const shown = without(instance, ["INSTANCE_LOGO", "INDEX"]);
  const { NOTIFY_HOSTS } = events;
  return { settings: { ...own, PASSPHRASE, TOOLS, ...shown, NOTIFY_HOSTS }, limits: amounts };
}

function without<Group extends object, Name extends keyof Group>(
  group: Group,
  names: readonly Name[],
): Omit<Group, Name> {
  const kept = Object.entries(group).filter(([name]) => !names.some((each) => each === name));
  // The object without these properties.
  return Object.fromEntries(kept) as Omit<Group, Name>;
}
