import { setRole } from "../../db/accounts/administered.ts";
import { findByIdentity, insertIdentityMember, tieIdentity } from "../../db/accounts/identities.ts";
import { listSessions } from "../../db/accounts/sessions.ts";
import { randomBase62 } from "../../tools/crypto/base62.ts";
import type { Services } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { HANDLE_LENGTH } from "../ids.ts";
import { SESSION_IDLE_SECONDS } from "../limits.ts";

/** `claim=value` of OIDC_REQUIRE. */
export interface ClaimRule {
  readonly claim: string;
  readonly value: string;
}

/** What a provider says of who has logged in there, and what this instance asks of them. */
interface ProvenIdentity {
  readonly claims: Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };
  /** Any of which must hold, where there are some. */
  readonly rules: readonly ClaimRule[];
  /** What the provider is called. */
  readonly provider: string;
}

const MAX_NAME_LENGTH = 32;
const MIN_NAME_LENGTH = 3;
/** Names that are tried before a random one. */
const NUMBERED_NAMES = 20;

/** The member whom a provider names, who is made at the first login. @throws ApiError oidc_refused */
export async function memberOf(
  { claims, rules, provider }: ProvenIdentity,
  services: Services,
): Promise<{ id: string; isNew: boolean }> {
  checkRules({ claims, rules, provider });
  const { db, now } = services;
  const identity = { issuer: claims.iss, subject: claims.sub, now: now() };
  const known = await findByIdentity(db, identity);
  if (known !== undefined) return { id: known, isNew: false };
  for (const name of namesFor(claims)) {
    const id = randomBase62(HANDLE_LENGTH);
    if (await insertIdentityMember(db, { ...identity, id, name })) return { id, isNew: true };
    // Somebody may have logged in for the first time in two windows at once.
    const other = await findByIdentity(db, identity);
    if (other !== undefined) return { id: other, isNew: false };
  }
  throw new Error("A random name was taken");
}

/** Makes a member an administrator or no longer one, as the claims of this login say. True where that has changed. */
export async function followClaims(
  member: string,
  { claims, admins }: { claims: ProvenIdentity["claims"]; admins: readonly ClaimRule[] },
  { db }: Pick<Services, "db">,
): Promise<boolean> {
  if (admins.length === 0) return false;
  return setRole(db, { id: member, role: holdsAny(admins, claims) ? "admin" : null });
}

/**
 * Ties an identity to a member, in whose session that was asked for and which still lives.
 * @throws ApiError login_required, oidc_refused, identity_taken
 */
export async function tieTo(
  { member, session }: { member: string; session: string },
  proven: ProvenIdentity,
  services: Services,
): Promise<void> {
  checkRules(proven);
  const living = { member, now: services.now(), idleSeconds: SESSION_IDLE_SECONDS };
  const sessions = await listSessions(services.db, living);
  if (!sessions.some(({ id }) => id === session)) {
    throw new ApiError("login_required", "The session that asked for this has ended; log in again");
  }
  const { iss: issuer, sub: subject } = proven.claims;
  if (await tieIdentity(services.db, { issuer, subject, member, now: services.now() })) return;
  throw new ApiError("identity_taken", `This account of ${proven.provider} belongs to another member here`);
}

function checkRules({ claims, rules, provider }: ProvenIdentity): void {
  if (rules.length === 0 || holdsAny(rules, claims)) return;
  const list = rules.map(({ claim, value }) => `${claim}=${value}`).join(" or ");
  throw new ApiError("oidc_refused", `Your account of ${provider} may not log in here: it needs ${list}`);
}

/** Whether one of the rules holds for what a provider says. */
function holdsAny(rules: readonly ClaimRule[], claims: ProvenIdentity["claims"]): boolean {
  return rules.some(({ claim, value }) => holds(claims[claim], value));
}

// A claim that is a list holds when it contains the value. An object never does.
function holds(claim: unknown, value: string): boolean {
  if (Array.isArray(claim)) return claim.some((item) => !Array.isArray(item) && holds(item, value));
  return ["string", "number", "boolean"].includes(typeof claim) && String(claim) === value;
}

/** What a member may be called: as the provider says, else with a number, else by chance. */
function* namesFor(claims: ProvenIdentity["claims"]): Generator<string> {
  const name = nameOf(claims);
  yield name;
  for (let number = 2; number <= NUMBERED_NAMES; number++) yield withEnd(name, `-${number}`);
  yield withEnd(name, `-${randomBase62(8).toLowerCase()}`);
}

function nameOf({ preferred_username: preferred, email }: ProvenIdentity["claims"]): string {
  const texts = [preferred, email].filter((text) => typeof text === "string");
  const names = texts.map((text) =>
    text
      .split("@", 1)[0]!
      .normalize("NFKD")
      .toLowerCase()
      .replace(/[^a-z0-9._-]/g, "")
      .replace(/^[._-]+/, "")
      .slice(0, MAX_NAME_LENGTH),
  );
  return names.find((name) => name.length >= MIN_NAME_LENGTH) ?? "member";
}

function withEnd(name: string, end: string): string {
  return name.slice(0, MAX_NAME_LENGTH - end.length) + end;
}
