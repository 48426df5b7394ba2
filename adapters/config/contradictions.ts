import { DEFAULT_LIMITS } from "../../router/limits.ts";
import { whyNever } from "./login-variables.ts";
import type { Config } from "./settings.ts";

/** Settings that cannot hold together, a sentence each. */
export function checkTogether(config: Config): string[] {
  const amounts = [...lessForMembers(config), ...beyondMachine(config), ...beyondLifetime(config)];
  return [...amounts, ...missingForLogin(config), ...missingForEvents(config)];
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
        const why = whyNever(rule, oidcIssuer);
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

// What the specification allows is legal on small machines too, where a file may have to wait until it is alone.
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

function beyondBounds({ defaultLifetime = DEFAULT_LIMITS.defaultSeconds, ...config }: Config): string[] {
  const { minLifetime, lifetime } = config;
  if (defaultLifetime < minLifetime)
    return [
      `DEFAULT_LIFETIME is ${defaultLifetime} but must be at least MIN_LIFETIME, which is ${minLifetime} seconds.`,
    ];
  if (defaultLifetime <= lifetime) return [];
  return [
    `DEFAULT_LIFETIME is ${defaultLifetime} but must be at most LIFETIME, which is ${lifetime} seconds.`,
  ];
}
