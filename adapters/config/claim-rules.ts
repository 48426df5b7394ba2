import type { ClaimRule } from "../../router/accounts/identities.ts";
import { orNone } from "./instance-values.ts";
import { reading, type Kind } from "./values.ts";

/** `claim=value`, with commas between them; a value with a comma, an equals sign or a quote stands in double quotes. */
export const claimRules: Kind<readonly ClaimRule[] | undefined> = orNone(
  reading(
    readRules,
    'claim=value, or several of them with commas between; a value with , or = in it stands in double quotes, such as groups="cn=staff,ou=x"',
  ),
);

// As in RFC 4180 a quote inside of quotes is doubled; a backslash stands for itself, since names of LDAP have some.
const RULE = /\s*([\w:./-]{1,128})=(?:"((?:[^"\p{Cc}]|""){1,256})"|([^=,"\p{Cc}]{1,256}?))\s*(?:,|$)/uy;

function readRules(text: string): ClaimRule[] | null {
  const rules: ClaimRule[] = [];
  RULE.lastIndex = 0;
  do {
    const [, claim = "", quoted, plain = ""] = RULE.exec(text) ?? [];
    if (claim === "" || !isPath(claim)) return null;
    rules.push({ claim, value: quoted?.replaceAll('""', '"') ?? plain });
  } while (RULE.lastIndex < text.length);
  return text.trimEnd().endsWith(",") ? null : rules;
}

function isPath(claim: string): boolean {
  return claim.split(".").every((name) => name !== "");
}

/** Claims that are of one login alone, so that no value holds at the next one (OpenID Connect Core 1.0, 2 and 3.1.3.6). */
const OF_ONE_LOGIN = ["exp", "iat", "nbf", "auth_time", "nonce", "jti", "sid", "at_hash", "c_hash"];
/** Claims that are true or false (OpenID Connect Core 1.0, 5.1). */
const BOOLEANS = ["email_verified", "phone_number_verified"];

/** Why a rule holds for nobody who logs in by this issuer; undefined where it may hold. */
export function whyNever({ claim, value }: ClaimRule, issuer: string): string | undefined {
  if (claim === "iss" && value !== issuer) return `iss is always OIDC_ISSUER, which is ${issuer}`;
  if (OF_ONE_LOGIN.includes(claim)) return `${claim} is another one at each login`;
  if (BOOLEANS.includes(claim) && value !== "true" && value !== "false") return `${claim} is true or false`;
  if (claim === "address") return "address is an object; name one of its members, such as address.country";
  return undefined;
}
