import { availableParallelism, totalmem } from "node:os";
import process from "node:process";
import { z } from "zod";
import { LOG_LEVELS } from "../operations/log.ts";
import * as kinds from "./values.ts";

/** One sentence for each variable that is wrong, a line each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

interface About {
  /** A text like one of the environment; read in the same way. */
  readonly fallback: string;
  readonly meaning: string;
  /** The value can hold a password, so no sentence quotes it. */
  readonly isSecret?: true;
}

/** What help and errors say of a variable. */
const variables = z.registry<About & { legal: string }>();

/** A variable that is empty or blank counts as absent. */
function variable<Value>({ schema, legal }: kinds.Kind<Value>, about: About) {
  const text = z.string().optional();
  return text
    .transform((given) => given?.trim() || about.fallback)
    .pipe(schema)
    .register(variables, { ...about, legal });
}

/** All that the server reads of the environment. */
function environmentOf(machine: kinds.Machine) {
  return z.object({
    PORT: variable(kinds.port, {
      fallback: "3000",
      meaning: "The port to listen on; 0 takes any free one.",
    }),
    HOST: variable(kinds.host, {
      fallback: "127.0.0.1",
      meaning: "The address to listen on; 0.0.0.0 or :: is all of the machine's.",
    }),
    PUBLIC_URL: variable(kinds.publicUrl, {
      fallback: kinds.OWN_URL,
      meaning: "The base of the links; a path in it is the base path of everything.",
      isSecret: true,
    }),
    DATABASE_URL: variable(kinds.databaseUrl, {
      fallback: "data/service.db",
      meaning: "Where everything is stored.",
      isSecret: true,
    }),
    TRUST_PROXY: variable(kinds.trust, {
      fallback: "none",
      meaning: "The proxies whose X-Forwarded-For is believed.",
    }),
    REGISTRATION: variable(kinds.oneOf("open", "closed"), {
      fallback: "open",
      meaning: "Whether anyone may make an account.",
    }),
    ANONYMOUS: variable(kinds.oneOf("all", "secrets", "tools", "none"), {
      fallback: "all",
      meaning: "What callers without an account may start.",
    }),
    RECEIPT_DAYS: variable(kinds.days, {
      fallback: "30",
      meaning: "How long it is remembered what became of a secret.",
    }),
    USAGE_DAYS: variable(kinds.days, {
      fallback: "90",
      meaning: "How long the counts of tool calls are stored.",
    }),
    MEMORY_BUDGET: variable(kinds.memory(machine), {
      fallback: "40%",
      meaning: "The memory that all work at once may take; more has to wait or is refused.",
    }),
    WORKERS: variable(kinds.workers(machine), {
      fallback: "cores",
      meaning: "How many heavy jobs run side by side.",
    }),
    WORK_SECONDS: variable(kinds.seconds, {
      fallback: "30",
      meaning: "The time one job may take.",
    }),
    DRAIN_SECONDS: variable(kinds.drainSeconds, {
      fallback: "5",
      meaning: "How long new calls are answered 503 after SIGTERM, before the port is closed.",
    }),
    MAX_SECRET_BYTES: variable(kinds.sizeBytes, {
      fallback: "4GiB",
      meaning: "The size of all stored secrets together; past it no new one is taken.",
    }),
    LOG_LEVEL: variable(kinds.oneOf(...LOG_LEVELS), {
      fallback: "info",
      meaning: "What is logged: faults; with warn events of security too; with info requests and all else.",
    }),
    METRICS_PORT: variable(kinds.metricsPort, {
      fallback: "off",
      meaning: "The port of the Prometheus metrics; 0 takes any free one.",
    }),
  });
}

export type Config = Readonly<ReturnType<typeof toConfig>>;

/**
 * Reads the whole configuration from environment variables.
 * @throws {ConfigError} with all that is wrong at once
 */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  machine: kinds.Machine = readMachine(),
): Config {
  const environment = environmentOf(machine);
  const { data, error } = environment.safeParse(env);
  if (data) return toConfig(data);
  const wrong = new Set(error.issues.map(({ path }) => path[0]));
  const problems = Object.entries(environment.shape).filter(([name]) => wrong.has(name));
  throw new ConfigError(
    problems.map(([name, schema]) => describeProblem(name, { schema, text: env[name] })).join("\n"),
  );
}

/** Every variable with its default, meaning and legal values, as text for a terminal. */
export function configHelp(): string {
  const parts = Object.entries(environmentOf(readMachine()).shape).map(([name, schema]) => {
    const { fallback, meaning, legal } = aboutOf(schema);
    return `  ${name}=${fallback}\n      ${meaning}\n      Must be ${legal}.\n`;
  });
  return `Environment variables, each with its default:\n\n${parts.join("\n")}`;
}

function toConfig(env: z.output<ReturnType<typeof environmentOf>>) {
  return {
    port: env.PORT,
    /** Without brackets, also when it is IPv6. */
    host: env.HOST,
    /** Without a slash at its end. */
    publicUrl: env.PUBLIC_URL === kinds.OWN_URL ? ownUrl(env) : env.PUBLIC_URL,
    databaseUrl: env.DATABASE_URL,
    trust: env.TRUST_PROXY,
    registration: env.REGISTRATION,
    anonymous: env.ANONYMOUS,
    receiptDays: env.RECEIPT_DAYS,
    usageDays: env.USAGE_DAYS,
    /** In bytes. */
    memoryBudget: env.MEMORY_BUDGET,
    workers: env.WORKERS,
    workSeconds: env.WORK_SECONDS,
    drainSeconds: env.DRAIN_SECONDS,
    maxSecretBytes: env.MAX_SECRET_BYTES,
    logLevel: env.LOG_LEVEL,
    metricsPort: env.METRICS_PORT,
  };
}

function ownUrl({ HOST, PORT }: { HOST: string; PORT: number }): string {
  return new URL(`http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${PORT}`).origin;
}

function describeProblem(
  name: string,
  { schema, text = "" }: { schema: z.ZodType; text: string | undefined },
): string {
  const { legal, isSecret } = aboutOf(schema);
  if (isSecret) return `${name} must be ${legal}.`;
  const value = text.trim();
  const quoted = JSON.stringify(value.length > 64 ? `${value.slice(0, 64)}…` : value);
  return `${name} is ${quoted} but must be ${legal}.`;
}

function aboutOf(schema: z.ZodType): About & { legal: string } {
  const about = variables.get(schema);
  if (!about) throw new TypeError("A variable is registered where it is declared.");
  return about;
}

// Without a limit the answer is a number past all memory (Node, Deno) or that of the machine (Bun).
function readMachine(): kinds.Machine {
  const constrained = process.constrainedMemory() || Infinity;
  return { memoryBytes: Math.min(totalmem(), constrained), cores: availableParallelism() };
}
