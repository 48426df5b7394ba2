import { issuer, lifetime, line, logTarget, orNone, signingKeys, webhookUrl } from "./instance-values.ts";
import { notifyHosts } from "./notify-hosts.ts";
import { oneOf, textKind, variable, type Kind } from "./values.ts";
import type { ClaimRule } from "../../router/accounts/identities.ts";

/** Settings of how members log in. */
export function loginVariables() {
  return {
    PASSWORDS: variable(oneOf("on", "off"), {
      fallback: "on",
      meaning: "Whether members can log in with a password; off needs OIDC_ISSUER.",
    }),
    REQUIRE_SECOND_FACTOR: variable(oneOf("no", "members"), {
      fallback: "no",
      meaning: "Whether members who log in with a password need an authenticator app or a passkey.",
      more: "Without one they can do nothing in the account but set one up. Existing API tokens keep working.",
    }),
    OIDC_ISSUER: variable(issuer, {
      fallback: "none",
      meaning:
        "The OpenID Connect issuer that members log in with: its URL, exactly as the issuer publishes it.",
      more: "See [accounts.md](accounts.md#logging-in-with-what-an-organization-has).",
    }),
    OIDC_CLIENT_ID: variable(orNone(line(256)), {
      fallback: "none",
      meaning: "The client ID that the issuer has given this instance.",
    }),
    OIDC_CLIENT_SECRET: variable(orNone(line(1024)), {
      fallback: "none",
      meaning: "The client secret that goes with it.",
      isSecret: true,
      hasFile: true,
    }),
    OIDC_NAME: variable(line(64), {
      fallback: "your organization",
      meaning: "The issuer's name on the button that leads to it.",
    }),
    OIDC_SCOPE: variable(line(256), {
      fallback: "openid profile email",
      meaning: "The scopes that the issuer is asked for, with spaces between them.",
    }),
    OIDC_REQUIRE: variable(claimRules, {
      fallback: "none",
      meaning:
        "Claims, one of which is needed to log in, such as groups=staff; a list matches if it contains the value.",
      more: "`realm_access.roles=staff` is a claim inside of another; see [rules](accounts.md#rules).",
    }),
    OIDC_ADMIN: variable(claimRules, {
      fallback: "none",
      meaning: "Claims, one of which makes an administrator, such as groups=admins.",
      more:
        "Where it is set, each login by the issuer decides anew; `hushkit admin user role` does it for those who log in " +
        "otherwise.",
    }),
    OIDC_MAX_AGE: variable(lifetime, {
      fallback: "7d",
      meaning:
        "How long a login by the issuer confirms a member, if PASSWORDS is off and claims decide who may log in.",
      more: "Later, sessions, passkeys and API tokens open nothing before the member logs in by the issuer again.",
    }),
  };
}

/** Settings of who is told of events. */
export function eventVariables() {
  return {
    AUDIT_LOG: variable(logTarget, {
      fallback: "off",
      meaning: "Where the audit log is written; a file is reopened on SIGHUP.",
      more: "See [who did what](accounts.md#who-did-what).",
    }),
    WEBHOOK_URL: variable(webhookUrl, {
      fallback: "none",
      meaning: "Where events are sent, as signed calls; redirects are not followed.",
      more: "See [webhooks.md](webhooks.md).",
      isSecret: true,
    }),
    WEBHOOK_SECRET: variable(signingKeys, {
      fallback: "none",
      meaning: "The key that signs them, or the new and the old one, which then both sign.",
      more: "`echo whsec_$(openssl rand -base64 32)` makes one.",
      isSecret: true,
      hasFile: true,
    }),
    NOTIFY_HOSTS: variable(notifyHosts, {
      fallback: "none",
      meaning: "The hosts that members may have told what becomes of their secrets, by hooks of their own.",
      more:
        "Never a private address, unless it is named here too: `ntfy.acme.internal,10.0.0.5`. See " +
        "[members' own hooks](webhooks.md#members-own-hooks).",
    }),
  };
}

/** `claim=value`, separated by commas; a value with a comma, an equals sign or a quote is enclosed in double quotes. */
const claimRules: Kind<readonly ClaimRule[] | undefined> = orNone(
  textKind(
    readRules,
    'claim=value, or several of them with commas between; a value with , or = in it stands in double quotes, such as groups="cn=staff,ou=x"',
  ),
);

// As in RFC 4180, a quote within quotes is doubled; a backslash is a plain character, since LDAP names contain some.
const RULE = /\s*([\w:./-]{1,128})\s*=\s*(?:"((?:[^"\p{Cc}]|""){1,256})"|([^=,"\p{Cc}]{1,256}?))\s*(?:,|$)/uy;

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

/** Claims that change with each login, so that no fixed value can match (OpenID Connect Core 1.0, 2 and 3.1.3.6). */
const PER_LOGIN_CLAIMS = ["exp", "iat", "nbf", "auth_time", "nonce", "jti", "sid", "at_hash", "c_hash"];
/** Claims that are true or false (OpenID Connect Core 1.0, 5.1). */
const BOOLEAN_CLAIMS = ["email_verified", "phone_number_verified"];

/** Why a rule can never match a login of this issuer; undefined where it may. */
export function findRuleFault({ claim, value }: ClaimRule, issuer: string): string | undefined {
  if (claim === "iss" && value !== issuer) return `iss is always OIDC_ISSUER, which is ${issuer}`;
  if (PER_LOGIN_CLAIMS.includes(claim)) return `${claim} is another one at each login`;
  if (BOOLEAN_CLAIMS.includes(claim) && value !== "true" && value !== "false")
    return `${claim} is true or false`;
  if (claim === "address") return "address is an object; name one of its members, such as address.country";
  return undefined;
}
