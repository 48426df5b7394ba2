import { z } from "zod";
import type { Services } from "../context.ts";
import { publicMeta } from "../meta.ts";
import { hasPasskeys } from "../accounts/passkeys.ts";
import { noInput } from "../schemas.ts";
import { publicProcedure } from "../trpc.ts";
import { EXAMPLE } from "./examples.ts";

const optionalText = z.string().nullable();

/** What the operator says about this instance. Answering costs less than a health check, so calls are not counted. */
export const instance = publicProcedure
  .meta(
    publicMeta("/api/instance", {
      compressed: true,
      summary: "What this server is",
      description:
        "Its name, what its operator says of it, how to log in, and what it takes without an account.",
      examples: {
        "Result.name": "Hushkit",
        "Result.version": EXAMPLE.version,
        "Result.tools": ["password"],
        "ResultLimits.secretLength": 50_000,
        "ResultLimits.secretFileSize": 26_214_400,
        "ResultLimits.secretExpires": 604_800,
        "ResultLimits.secretExpiresDefault": 86_400,
        "ResultLimits.secretExpiresMinimum": 60,
        "ResultLimits.secretExpiresAllowed": [86_400, 3600, 604_800],
      },
    }),
  )
  .input(noInput)
  .output(
    z.object({
      name: z.string(),
      notice: optionalText.describe("A line for everybody who uses it"),
      logo: optionalText.describe("Where its image is, below the base path"),
      imprint: optionalText.describe("URL of a page that says who runs it"),
      privacy: optionalText.describe("URL of a page that says what becomes of people's data"),
      contact: optionalText.describe("URL, usually mailto:"),
      registration: z.enum(["open", "closed"]).describe("Whether anyone may make an account"),
      anonymous: z
        .enum(["all", "secrets", "tools", "none"])
        .describe("What callers without an account may start"),
      login: z.array(z.enum(["password", "passkey", "oidc"])).describe("The ways to log in"),
      oidc: z
        .object({ name: z.string() })
        .nullable()
        .describe("What the login of the organization is called"),
      passphrase: z.enum(["optional", "required"]).describe("Whether every secret needs a passphrase"),
      tools: z.array(z.string()).describe("The file tools that there are"),
      limits: z
        .object({
          secretLength: z.int().describe("Characters of a text"),
          secretFileSize: z.int().describe("Bytes of a file shared as a secret"),
          secretExpires: z.int().describe("Seconds"),
          secretExpiresDefault: z.int().describe("Seconds"),
          secretExpiresMinimum: z.int().describe("Seconds"),
          secretExpiresAllowed: z
            .array(z.int())
            .nullable()
            .describe("Seconds; no other lifetimes are taken. Null where all between the bounds are"),
        })
        .describe("Without an account; GET /api/tools has all limits of its caller"),
      version: z.string(),
    }),
  )
  .query(({ ctx: { services } }) => instanceOf(services));

/** The public facts of an instance. */
export function instanceOf(services: Services) {
  const { registration, anonymous, passphrase, tools, limits } = services;
  const { secretCharacters, secretFileSize, lifetimes } = limits.anonymous;
  return {
    ...services.instance,
    registration,
    anonymous,
    passphrase,
    tools: [...tools],
    login: [
      ...(services.login.passwords ? (["password"] as const) : []),
      ...(hasPasskeys(services) ? (["passkey"] as const) : []),
      ...(services.login.oidc ? (["oidc"] as const) : []),
    ],
    oidc: services.login.oidc && { name: services.login.oidc.name },
    limits: {
      secretLength: secretCharacters,
      secretFileSize,
      secretExpires: lifetimes.maximum,
      secretExpiresDefault: limits.defaultSeconds,
      secretExpiresMinimum: lifetimes.minimum,
      secretExpiresAllowed: lifetimes.offered ? [...lifetimes.offered] : null,
    },
  };
}
