import { readFileSync } from "node:fs";
import { allVariables, camelCase, type Config } from "./settings.ts";
import { OWN_URL, type Machine, type Variable } from "./values.ts";
import { DEFAULT_LIMITS } from "../../router/limits.ts";
import { editDistance } from "../trpc/rest/unknown-parameter.ts";
import { findRuleFault } from "./login-variables.ts";

/** One sentence for each wrong variable, a line each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the whole configuration from environment variables. @throws {ConfigError} with everything that is wrong */
export function readConfig(env: Environment, machine?: Machine): Config {
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(allVariables(machine))) {
    try {
      config[camelCase(name)] = readVariable(name, variable, env);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(error.message);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  // The type of Config is derived from the same variables in the same way.
  const whole = withOwnUrl(config as Config);
  const contradictions = checkTogether(whole);
  if (contradictions.length > 0) throw new ConfigError(contradictions.join("\n"));
  return whole;
}

function readVariable(name: string, variable: Variable<unknown, unknown>, env: Environment): unknown {
  // An empty or blank variable counts as absent.
  const given = env[name]?.trim();
  const file = variable.hasFile && env[`${name}_FILE`]?.trim();
  if (file && given) throw new ConfigError(`${name} and ${name}_FILE must not both be set.`);
  if (given) refuseQuotes(name, given);
  if (file) refuseQuotes(`${name}_FILE`, file);
  const text = file ? readValue(`${name}_FILE`, file) : given || variable.fallback;
  const { success, data } = variable.schema.safeParse(text);
  if (success) return data;
  throw new ConfigError(describeProblem(file ? `The content of ${name}_FILE` : name, variable, text));
}

// Not every reader of variable files, Compose files and YAML removes quotes, and no database is called
// `"data/service.db"`.
function refuseQuotes(name: string, text: string): void {
  if (/^(["'])[^]*\1$/.test(text)) throw new ConfigError(`${name} must not have quotes around its value.`);
}

/** The content of a file, without line feed and blanks around it. */
function readValue(name: string, file: string): string {
  let text: string;
  try {
    text = readFileSync(file, "utf8").trim();
  } catch (error) {
    throw fileError(`${name} cannot be read`, error);
  }
  refuseQuotes(`The content of ${name}`, text);
  // The default would be another database or key than intended.
  if (text === "") throw new ConfigError(`${name} names an empty file.`);
  return text;
}

/** What is wrong with the file that a variable names; only the system's error code is shown. */
export function fileError(sentence: string, error: unknown): ConfigError {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  return new ConfigError(`${sentence} (${code}).`);
}

/** Shorter names are near to those of other programs. */
const SURE_LENGTH = 6;
/** As far apart as two letters in the wrong order. */
const NEAR = 2;
const NEEDED = [
  [/^OIDC_/, "OIDC_ISSUER"],
  [/^WEBHOOK_SECRET/, "WEBHOOK_URL"],
] as const;

/**
 * What is set and has no effect, a sentence each: a name that is nearly the one of a setting, a file for a setting that
 * is read from none, and a setting without the one that it belongs to.
 */
export function settingsWithoutEffect(env: Environment): string[] {
  const variables = new Map<string, Variable<unknown, unknown>>(Object.entries(allVariables()));
  const isSet = (name: string) => Boolean(env[name]?.trim());
  return Object.keys(env)
    .filter(isSet)
    .flatMap((name) => {
      const of = name.replace(/_FILE$/, "");
      const variable = variables.get(of);
      if (!variable) {
        const near = findNear(name, variables.keys());
        return near === undefined || isSet(near) ? [] : [`${name} is not read; perhaps ${near} is meant.`];
      }
      const [, needed] = NEEDED.find(([pattern]) => pattern.test(name)) ?? [];
      if (needed !== undefined && !isSet(needed)) return [`${name} has no effect without ${needed}.`];
      return name === of || variable.hasFile ? [] : [`${name} is not read; ${of} is read from no file.`];
    });
}

/** Quick for the thousands of names that Kubernetes sets, seven for each service of a namespace. */
function findNear(name: string, names: Iterable<string>): string | undefined {
  const upper = name.toUpperCase();
  const isNear = (each: string) =>
    each.length >= SURE_LENGTH &&
    Math.abs(each.length - upper.length) <= NEAR &&
    editDistance(upper, each) <= NEAR;
  return [...names].find(isNear);
}

/** Every variable with its default, meaning and legal values, as text for a terminal. */
export function configHelp(): string {
  const parts = Object.entries(allVariables()).map(
    ([name, { fallback, meaning, legal, hasFile }]) =>
      `  ${name}=${fallback}\n      ${meaning}\n      Must be ${legal}.\n` +
      (hasFile ? `      ${name}_FILE names a file with it instead.\n` : ""),
  );
  return `Environment variables, each with its default:\n\n${parts.join("\n")}`;
}

function withOwnUrl(config: Config): Config {
  const { host, port, publicUrl } = config;
  if (publicUrl !== OWN_URL) return config;
  return {
    ...config,
    publicUrl: new URL(`http://${host.includes(":") ? `[${host}]` : host}:${port}`).origin,
  };
}

function describeProblem(
  name: string,
  { legal, isSecret }: Variable<unknown, unknown>,
  value: string,
): string {
  if (isSecret) return `${name} must be ${legal}.`;
  const quoted = JSON.stringify(value.length > 64 ? `${value.slice(0, 64)}…` : value);
  return `${name} is ${quoted} but must be ${legal}.`;
}

/** Settings that contradict each other, a sentence each. */
function checkTogether(config: Config): string[] {
  const amounts = [...lessForMembers(config), ...beyondMachine(config), ...beyondLifetime(config)];
  return [...amounts, ...missingForLogin(config), ...missingForEvents(config), ...takenTwice(config)];
}

// Any free one is another each time.
function takenTwice({ port, metricsPort }: Config): string[] {
  if (port === 0 || port !== metricsPort) return [];
  return [`METRICS_PORT is ${metricsPort} but must be another port than PORT.`];
}

function missingForEvents({ webhookUrl, webhookSecret }: Config): string[] {
  if (webhookUrl === undefined || webhookSecret !== undefined) return [];
  return ["WEBHOOK_SECRET must be set with WEBHOOK_URL."];
}

function missingForLogin({ passwords, oidcIssuer, oidcScope, ...client }: Config): string[] {
  const rules = [
    ["OIDC_REQUIRE", client.oidcRequire ?? []],
    ["OIDC_ADMIN", client.oidcAdmin ?? []],
  ] as const;
  if (oidcIssuer === undefined)
    return [
      ...(passwords === "off" ? ["PASSWORDS is off but must be on without OIDC_ISSUER."] : []),
      ...rules
        .filter(([, { length }]) => length > 0)
        .map(([name]) => `${name} needs OIDC_ISSUER: without it no rule ever holds.`),
    ];
  return [
    ...(client.oidcClientId === undefined ? ["OIDC_CLIENT_ID must be set with OIDC_ISSUER."] : []),
    ...(client.oidcClientSecret === undefined ? ["OIDC_CLIENT_SECRET must be set with OIDC_ISSUER."] : []),
    ...(oidcScope.split(" ").includes("openid") ? [] : ["OIDC_SCOPE must have openid in it."]),
    ...rules.flatMap(([name, list]) =>
      list.flatMap((rule) => {
        const why = findRuleFault(rule, oidcIssuer);
        return why === undefined
          ? []
          : [`${name} has ${rule.claim}=${rule.value}, which never holds: ${why}.`];
      }),
    ),
  ];
}

// A token only ever raises limits.
const PAIRS = [
  ["FILE_SIZE", "fileSize", "memberFileSize"],
  ["SECRET_FILE_SIZE", "secretFileSize", "memberSecretFileSize"],
  ["SECRET_CHARACTERS", "secretCharacters", "memberSecretCharacters"],
  ["LIFETIME", "lifetime", "memberLifetime"],
  ["SECRETS_PER_MINUTE", "secretsPerMinute", "memberSecretsPerMinute"],
  ["TOOL_CALLS", "toolCalls", "memberToolCalls"],
  ["STORED_BYTES", "storedBytes", "memberStoredBytes"],
] as const;

function lessForMembers(config: Config): string[] {
  return PAIRS.filter(([, anonymous, member]) => config[member] < config[anonymous]).map(
    ([name, anonymous, member]) =>
      `MEMBER_${name} is ${config[member]} but must be at least ${name}, which is ${config[anonymous]}.`,
  );
}

// What the specification allows stays legal on small machines, where a file may have to wait until it is alone.
function beyondMachine({ memberFileSize, memoryBudget, ...config }: Config): string[] {
  const { memberSecretFileSize, memberStoredBytes, maxSecretBytes } = config;
  const { fileSize, secretFileSize } = DEFAULT_LIMITS.member;
  return [
    ...(memberFileSize > Math.max(fileSize, memoryBudget)
      ? [`MEMBER_FILE_SIZE is ${memberFileSize} but must be at most MEMORY_BUDGET, which is ${memoryBudget}.`]
      : []),
    ...(memberSecretFileSize > Math.max(secretFileSize, Math.min(memberStoredBytes, maxSecretBytes))
      ? [
          `MEMBER_SECRET_FILE_SIZE is ${memberSecretFileSize} but must be at most MEMBER_STORED_BYTES, which is ` +
            `${memberStoredBytes}, and MAX_SECRET_BYTES, which is ${maxSecretBytes}.`,
        ]
      : []),
  ];
}

function beyondLifetime(config: Config): string[] {
  const { minLifetime, lifetime, memberLifetime, lifetimes } = config;
  if (minLifetime > lifetime)
    return [`MIN_LIFETIME is ${minLifetime} but must be at most LIFETIME, which is ${lifetime} seconds.`];
  if (lifetimes === undefined) return beyondBounds(config);
  const [first = 0] = lifetimes;
  const { defaultLifetime = first } = config;
  const outside = lifetimes.filter((seconds) => seconds < minLifetime || seconds > memberLifetime);
  return [
    ...outside.map(
      (seconds) =>
        `LIFETIMES has ${seconds} but each must be from MIN_LIFETIME, which is ${minLifetime}, to MEMBER_LIFETIME, ` +
        `which is ${memberLifetime} seconds.`,
    ),
    ...(first > lifetime && !outside.includes(first)
      ? [
          `LIFETIMES begins with ${first}, which is the default, but that must be at most LIFETIME, which is ` +
            `${lifetime} seconds.`,
        ]
      : []),
    ...(defaultLifetime === first
      ? []
      : [
          `DEFAULT_LIFETIME is ${defaultLifetime} but must be the first of LIFETIMES, which is ${first} seconds.`,
        ]),
  ];
}

function beyondBounds({ defaultLifetime, minLifetime, lifetime }: Config): string[] {
  // Where nobody has set it, it is as near to a day as the others allow.
  if (defaultLifetime === undefined) return [];
  if (defaultLifetime < minLifetime)
    return [
      `DEFAULT_LIFETIME is ${defaultLifetime} but must be at least MIN_LIFETIME, which is ${minLifetime} seconds.`,
    ];
  if (defaultLifetime <= lifetime) return [];
  return [
    `DEFAULT_LIFETIME is ${defaultLifetime} but must be at most LIFETIME, which is ${lifetime} seconds.`,
  ];
}
