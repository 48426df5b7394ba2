import { availableParallelism, totalmem } from "node:os";
import process from "node:process";
import type { Trust } from "../http/address.ts";
import * as kinds from "./values.ts";

export type Config = {
  /** 0 takes any free one. */
  readonly port: number;
  /** Without brackets, also when it is IPv6. */
  readonly host: string;
  /** The base of the links, without a slash at its end. */
  readonly publicUrl: string;
  readonly databaseUrl: string;
  readonly trust: Trust;
  readonly registration: "open" | "closed";
  readonly receiptDays: number;
  readonly usageDays: number;
  /** In bytes. */
  readonly memoryBudget: number;
  readonly workers: number;
  readonly workSeconds: number;
  readonly maxSecretBytes: number;
  readonly metricsPort: number | undefined;
};

type Variable<Value> = kinds.Kind<Value> & {
  readonly name: string;
  /** A text like one of the environment; read in the same way. */
  readonly fallback: string;
  readonly meaning: string;
  /** The value can hold a password, so no sentence quotes it. */
  readonly isSecret?: true;
};

/** One sentence for each variable that is wrong, a line each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const DAYS = kinds.wholeNumber({ from: 1, to: 3650, unit: "of days" });

const VARIABLES: { readonly [Key in keyof Config]: Variable<Config[Key]> } = {
  port: {
    name: "PORT",
    fallback: "3000",
    meaning: "The port to listen on; 0 takes any free one.",
    ...kinds.PORT,
  },
  host: {
    name: "HOST",
    fallback: "127.0.0.1",
    meaning: "The address to listen on; 0.0.0.0 or :: is all of the machine's.",
    ...kinds.HOST,
  },
  publicUrl: {
    name: "PUBLIC_URL",
    fallback: kinds.OWN_URL,
    meaning: "The base of the links that are given out.",
    isSecret: true,
    ...kinds.PUBLIC_URL,
  },
  databaseUrl: {
    name: "DATABASE_URL",
    fallback: "data/service.db",
    meaning: "Where everything is kept.",
    isSecret: true,
    ...kinds.DATABASE_URL,
  },
  trust: {
    name: "TRUST_PROXY",
    fallback: "none",
    meaning: "The proxies whose X-Forwarded-For is believed.",
    ...kinds.TRUST,
  },
  registration: {
    name: "REGISTRATION",
    fallback: "open",
    meaning: "Whether anyone may make an account.",
    ...kinds.REGISTRATION,
  },
  receiptDays: {
    name: "RECEIPT_DAYS",
    fallback: "30",
    meaning: "How long it is remembered what became of a secret.",
    ...DAYS,
  },
  usageDays: {
    name: "USAGE_DAYS",
    fallback: "90",
    meaning: "How long the counts of tool calls are kept.",
    ...DAYS,
  },
  memoryBudget: {
    name: "MEMORY_BUDGET",
    fallback: "40%",
    meaning: "The memory that all work at once may take; more has to wait or is refused.",
    ...kinds.MEMORY_BYTES,
  },
  workers: {
    name: "WORKERS",
    fallback: "cores",
    meaning: "How many heavy jobs run side by side.",
    ...kinds.CORES,
  },
  workSeconds: {
    name: "WORK_SECONDS",
    fallback: "30",
    meaning: "The time one job may take.",
    ...kinds.wholeNumber({ from: 1, to: 3600, unit: "of seconds" }),
  },
  maxSecretBytes: {
    name: "MAX_SECRET_BYTES",
    fallback: "1GiB",
    meaning: "The size of all stored secrets together; past it no new one is taken.",
    ...kinds.SIZE_BYTES,
  },
  metricsPort: {
    name: "METRICS_PORT",
    fallback: "off",
    meaning: "The port of the Prometheus metrics; 0 takes any free one.",
    ...kinds.METRICS_PORT,
  },
};

/**
 * Reads the whole configuration from environment variables. One that is empty or blank counts as absent.
 * @throws {ConfigError} with all that is wrong at once
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  machine: kinds.Machine = readMachine(),
): Config {
  const problems: string[] = [];
  const entries = Object.entries(VARIABLES).map(([key, variable]) => {
    const text = env[variable.name]?.trim() || variable.fallback;
    const value = variable.read(text, machine);
    if (value === null) problems.push(describeProblem(variable, text));
    return [key, value];
  });
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  // The table has a variable for every key, whose reader gives the type of that key.
  const config = Object.fromEntries(entries) as Config;
  return config.publicUrl === kinds.OWN_URL ? { ...config, publicUrl: ownUrl(config) } : config;
}

/** Every variable with its default, meaning and legal values, as text for a terminal. */
export function configHelp(): string {
  const parts = Object.values(VARIABLES).map(
    ({ name, fallback, meaning, legal }) =>
      `  ${name}=${fallback}\n      ${meaning}\n      Must be ${legal}.\n`,
  );
  return `Environment variables, each with its default:\n\n${parts.join("\n")}`;
}

function describeProblem({ name, legal, isSecret }: Variable<unknown>, text: string): string {
  if (isSecret) return `${name} must be ${legal}.`;
  const quoted = JSON.stringify(text.length > 64 ? `${text.slice(0, 64)}…` : text);
  return `${name} is ${quoted} but must be ${legal}.`;
}

// Without a limit the answer is a number past all memory (Node, Deno) or that of the machine (Bun).
function readMachine(): kinds.Machine {
  const constrained = process.constrainedMemory() || Infinity;
  return { memoryBytes: Math.min(totalmem(), constrained), cores: availableParallelism() };
}

function ownUrl({ host, port }: Config): string {
  return new URL(`http://${host.includes(":") ? `[${host}]` : host}:${port}`).origin;
}
