import { DEFAULT_LIMITS, type Limits } from "../../router/limits.ts";
import type { Config } from "./settings.ts";

/** The limits in effect. */
export function limitsOf(config: Config): Limits {
  const { minLifetime: minimum, lifetimes: list } = config;
  const lifetimesTo = (longest: number) => {
    const offered = list?.filter((seconds) => seconds <= longest);
    return { minimum, maximum: offered ? Math.max(...offered) : longest, offered };
  };
  const { anonymous, member, rates, defaultSeconds: usual } = DEFAULT_LIMITS;
  return {
    anonymous: {
      ...anonymous,
      fileSize: config.fileSize,
      totalSize: 2 * config.fileSize,
      secretFileSize: config.secretFileSize,
      secretCharacters: config.secretCharacters,
      lifetimes: lifetimesTo(config.lifetime),
      storedBytes: config.storedBytes,
    },
    member: {
      ...member,
      fileSize: config.memberFileSize,
      totalSize: 2 * config.memberFileSize,
      secretFileSize: config.memberSecretFileSize,
      secretCharacters: config.memberSecretCharacters,
      lifetimes: lifetimesTo(config.memberLifetime),
      storedBytes: config.memberStoredBytes,
    },
    defaultSeconds:
      list?.[0] ?? config.defaultLifetime ?? Math.min(Math.max(usual, minimum), config.lifetime),
    rates: {
      ...rates,
      tools: { ...rates.tools, anonymous: config.toolCalls, member: config.memberToolCalls },
      secretCreates: {
        ...rates.secretCreates,
        anonymous: config.secretsPerMinute,
        member: config.memberSecretsPerMinute,
      },
    },
  };
}
