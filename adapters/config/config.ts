import { availableParallelism, totalmem } from "node:os";
import process from "node:process";
import { z } from "zod";
import { checkTogether } from "./contradictions.ts";
import * as kinds from "./values.ts";
import { aboutOf } from "./variable.ts";
import { variablesOf } from "./variables.ts";

/** One sentence for each variable that is wrong, a line each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** All that the server reads of the environment. */
function environmentOf(machine: kinds.Machine) {
  const { server, limits, instance, login, events } = variablesOf(machine);
  return z.object({ ...server, ...limits, ...instance, ...login, ...events });
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
  if (data) {
    const config = toConfig(data);
    const contradictions = checkTogether(config);
    if (contradictions.length > 0) throw new ConfigError(contradictions.join("\n"));
    return config;
  }
  const wrong = new Set(error.issues.map(({ path }) => path[0]));
  const problems = Object.entries(environment.shape).filter(([name]) => wrong.has(name));
  throw new ConfigError(
    problems.map(([name, schema]) => describeProblem(name, { schema, text: env[name] })).join("\n"),
  );
}

/** The names of all variables. */
export function settingNames(): string[] {
  return Object.keys(environmentOf(readMachine()).shape);
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
    moveToDatabaseUrl: env.MOVE_TO_DATABASE_URL,
    instanceKey: env.INSTANCE_KEY,
    instanceKeyNext: env.INSTANCE_KEY_NEXT,
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
    /** In bytes. */
    fileSize: env.FILE_SIZE,
    memberFileSize: env.MEMBER_FILE_SIZE,
    secretFileSize: env.SECRET_FILE_SIZE,
    memberSecretFileSize: env.MEMBER_SECRET_FILE_SIZE,
    secretCharacters: env.SECRET_CHARACTERS,
    memberSecretCharacters: env.MEMBER_SECRET_CHARACTERS,
    /** In seconds. */
    lifetime: env.LIFETIME,
    memberLifetime: env.MEMBER_LIFETIME,
    defaultLifetime: env.DEFAULT_LIFETIME,
    secretsPerMinute: env.SECRETS_PER_MINUTE,
    memberSecretsPerMinute: env.MEMBER_SECRETS_PER_MINUTE,
    toolCalls: env.TOOL_CALLS,
    memberToolCalls: env.MEMBER_TOOL_CALLS,
    /** In bytes. */
    storedBytes: env.STORED_BYTES,
    memberStoredBytes: env.MEMBER_STORED_BYTES,
    passphrase: env.PASSPHRASE,
    tools: env.TOOLS,
    instanceName: env.INSTANCE_NAME,
    /** The path of a file. */
    instanceLogo: env.INSTANCE_LOGO,
    instanceNotice: env.INSTANCE_NOTICE,
    imprintUrl: env.IMPRINT_URL,
    privacyUrl: env.PRIVACY_URL,
    contact: env.CONTACT,
    index: env.INDEX,
    hsts: env.HSTS,
    passwords: env.PASSWORDS,
    requireSecondFactor: env.REQUIRE_SECOND_FACTOR,
    oidcIssuer: env.OIDC_ISSUER,
    oidcClientId: env.OIDC_CLIENT_ID,
    oidcClientSecret: env.OIDC_CLIENT_SECRET,
    oidcName: env.OIDC_NAME,
    oidcScope: env.OIDC_SCOPE,
    oidcRequire: env.OIDC_REQUIRE,
    oidcAdmin: env.OIDC_ADMIN,
    oidcMaxAge: env.OIDC_MAX_AGE,
    auditLog: env.AUDIT_LOG,
    webhookUrl: env.WEBHOOK_URL,
    webhookSecret: env.WEBHOOK_SECRET,
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

// Without a limit the answer is a number past all memory (Node, Deno) or that of the machine (Bun).
function readMachine(): kinds.Machine {
  const constrained = process.constrainedMemory() || Infinity;
  return { memoryBytes: Math.min(totalmem(), constrained), cores: availableParallelism() };
}
