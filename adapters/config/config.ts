import { checkTogether } from "./contradictions.ts";
import { allVariables, camelCase, type Config } from "./settings.ts";
import { OWN_URL, type Machine } from "./values.ts";
import type { Variable } from "./variable.ts";

/** One sentence for each variable that is wrong, a line each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the whole configuration from environment variables.
 * @throws {ConfigError} with all that is wrong at once
 */
export function readConfig(env: Environment, machine?: Machine): Config {
  const problems: string[] = [];
  const read = Object.entries(allVariables(machine)).map(([name, variable]) => {
    // A variable that is empty or blank counts as absent.
    const text = env[name]?.trim() || variable.fallback;
    const { success, data } = variable.schema.safeParse(text);
    if (!success) problems.push(describeProblem(name, variable, text));
    return [camelCase(name), data] as const;
  });
  if (problems.length > 0) throw new ConfigError(problems.join("\n"));
  // The type of Config is made of the same variables in the same way.
  const config = withOwnUrl(Object.fromEntries(read) as Config);
  const contradictions = checkTogether(config);
  if (contradictions.length > 0) throw new ConfigError(contradictions.join("\n"));
  return config;
}

/** Every variable with its default, meaning and legal values, as text for a terminal. */
export function configHelp(): string {
  const parts = Object.entries(allVariables()).map(
    ([name, { fallback, meaning, legal }]) =>
      `  ${name}=${fallback}\n      ${meaning}\n      Must be ${legal}.\n`,
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
