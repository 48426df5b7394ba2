import { availableParallelism, totalmem } from "node:os";
import process from "node:process";
import type { z } from "zod";
import type { Kind, Machine } from "./values.ts";
import { variablesOf } from "./variables.ts";

/** All that the server reads of the environment, by name. Its schemas take milliseconds to make. */
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

// Without a limit the answer is a number past all memory (Node, Deno) or that of the machine (Bun).
function readMachine(): Machine {
  const constrained = process.constrainedMemory() || Infinity;
  return { memoryBytes: Math.min(totalmem(), constrained), cores: availableParallelism() };
}

/** What a program calls a variable: PUBLIC_URL is publicUrl. */
export function camelCase(name: string): string {
  return name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name & string>;

/** All settings of the server, as they have been read. */
export type Config = {
  readonly [Name in keyof Variables as CamelCase<Name>]: z.output<Variables[Name]["schema"]>;
};

/** Settings as a program gives them. */
export type SettingOptions<Group extends Readonly<Record<string, Kind<unknown, unknown>>>> = {
  readonly [Name in keyof Group as CamelCase<Name>]?: z.output<Group[Name]["given"]>;
};

/** What a program around can set; it listens and stops by itself. */
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
  // What is left of an object is that object without them.
  return Object.fromEntries(kept) as Omit<Group, Name>;
}
