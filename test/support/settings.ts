import { readConfig } from "../../adapters/config/config.ts";
import { instanceOf, limitsOf, organisationOf } from "../../adapters/config/limits.ts";

/** Settings of the environment, as a service takes them: those of limits and of the instance. */
export function settingsOf(env: Readonly<Record<string, string>> | undefined) {
  if (!env) return {};
  const config = readConfig(env);
  const { passphrase, tools, passwords, requireSecondFactor, index, hsts } = config;
  return {
    ...{
      limits: limitsOf(config),
      passphrase,
      tools,
      instance: instanceOf(config),
      passwordLogin: passwords,
    },
    ...{ requireSecondFactor, index, hsts },
    organisation: (on: Parameters<typeof organisationOf>[1]) => organisationOf(config, on),
  };
}
