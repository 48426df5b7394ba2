import { setRole } from "../../db/accounts/administered.ts";
import {
  findByIdentity,
  insertIdentityMember,
  peekIdentity,
  refuseIdentity,
  tieIdentity,
} from "../../db/accounts/identities.ts";
import { endProviderSessions } from "../../db/accounts/sessions.ts";
import { hasMark, leaveMark } from "../../db/idempotency-keys.ts";
import { randomBase62 } from "../../tools/crypto/base62.ts";
import type { MemberCaller, Services } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { HANDLE_LENGTH } from "../schemas.ts";
import type { FlowOwner, PendingTie } from "./login-flow.ts";
import { noteTried } from "../policy/acts.ts";
import { inSession } from "../policy/running-call.ts";

/** `claim=value` of OIDC_REQUIRE. */
export interface ClaimRule {
  /** The name of a claim, or the path to one inside of another, separated by points. */
  readonly claim: string;
  readonly value: string;
}

/** What a provider says about a user who has logged in there, and what this instance requires. */
export interface ProvenIdentity {
  readonly claims: Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };
  /** One of these must hold, if there are any. */
  readonly rules: readonly ClaimRule[];
  /** One of these makes an administrator, if there are any. */
  readonly admins: readonly ClaimRule[];
  /** The provider's name, to show to people. */
  readonly provider: string;
}

const MAX_NAME_LENGTH = 32;
const MIN_NAME_LENGTH = 3;
/** Names with numbers that are tried before a random one. */
const NUMBERED_NAMES = 20;
/** The longest name of a provider's user that is stored. */
const MAX_LABEL_LENGTH = 100;

/** The member whom a provider names, created at the first login. @throws ApiError oidc_refused */
export async function memberOf(
  proven: ProvenIdentity,
  services: Services,
): Promise<{ id: string; isNew: boolean }> {
  const { claims } = proven;
  noteTried(await peekIdentity(services.db.query, { issuer: claims.iss, subject: claims.sub }));
  await checkRules(proven, services);
  const { db, now } = services;
  const identity = { issuer: claims.iss, subject: claims.sub, name: labelOf(claims), now: now() };
  const known = await findByIdentity(db, identity);
  if (known !== undefined) return { id: known, isNew: false };
  for (const memberName of namesFor(claims)) {
    const id = randomBase62(HANDLE_LENGTH);
    if (await insertIdentityMember(db, { identity, id, memberName })) return { id, isNew: true };
    // Somebody may have logged in for the first time in two windows at once.
    const other = await findByIdentity(db, identity);
    if (other !== undefined) return { id: other, isNew: false };
  }
  throw new Error("A random name was taken");
}

/** Sets the administrator role as the claims of this login say. True where that changed something. */
export async function followClaims(
  member: string,
  { claims, admins }: Pick<ProvenIdentity, "claims" | "admins">,
  { db }: Pick<Services, "db">,
): Promise<boolean> {
  if (admins.length === 0) return false;
  return setRole(db, member, holdsAny(admins, claims) ? "admin" : null);
}

/**
 * The identity with which a member came back, to be tied to the account once they confirm it.
 * @throws ApiError oidc_refused, identity_taken
 */
export async function identityToTie(
  { proven, owner }: { proven: ProvenIdentity; owner: FlowOwner },
  services: Services,
): Promise<PendingTie> {
  noteTried(owner.member);
  await checkRules(proven, services);
  const { iss: issuer, sub: subject } = proven.claims;
  return { owner, issuer, subject, name: labelOf(proven.claims) };
}

/**
 * The name of the member for whom an identity was requested, if their session is the one that comes back.
 * @throws ApiError login_required
 */
export function nameOfOwner({ member, session }: FlowOwner, caller: MemberCaller | undefined): string {
  if (caller?.memberId === member && caller.credentialId === session) return caller.memberName;
  throw new ApiError("login_required", "The session that asked for this has ended; log in again");
}

/**
 * Ties an identity to the member who has confirmed it.
 * @throws ApiError identity_taken
 * @throws ActorGone
 */
export async function tie(
  { owner: { member, session }, issuer, subject, name }: PendingTie,
  provider: string,
  { db, now }: Pick<Services, "db" | "now">,
): Promise<void> {
  const identity = { issuer, subject, name, member, now: now() };
  if (await inSession({ member, session, isAdmin: false }, () => tieIdentity(db, identity))) return;
  throw new ApiError("identity_taken", `This account of ${provider} belongs to another member here`);
}

/**
 * Ends the sessions of a user whom a provider has logged out. A logout token counts once.
 * @throws ApiError oidc_failed
 */
export async function followLogout(
  of: { id: string; subject: string | undefined; session: string | undefined; issuedAt: number },
  {
    provider: { issuer, name },
    seconds,
    services,
  }: { provider: { issuer: string; name: string }; seconds: number; services: Services },
): Promise<void> {
  const { id, subject, session, issuedAt } = of;
  const { db, now, rateKey } = services;
  const keyHash = rateKey(`logout token ${id}`);
  const claim = { keyHash, claim: randomBase62(HANDLE_LENGTH), now: now(), sweepAt: now() + seconds };
  // Before the sessions are ended: a login that stores one afterwards finds this.
  const ended = logoutKey(session === undefined ? { issuer, subject } : { issuer, session }, services);
  await leaveMark(db, { ...claim, keyHash: ended, sweepAt: Math.floor(issuedAt) + seconds });
  if (await endProviderSessions(db, claim, { issuer, subject, providerSession: session })) return;
  throw new ApiError("oidc_failed", `This logout of ${name} was told before`);
}

/**
 * Whether the provider has logged out the user, or the session there, since it issued an ID token. Both times are the
 * provider's own, and may have fractions of a second (RFC 7519, 2), which PostgreSQL would refuse.
 */
export function wasLoggedOut(
  of: { issuer: string; subject: string; session: string | undefined; issuedAt: number },
  { seconds, services }: { seconds: number; services: Services },
): Promise<boolean> {
  const { issuer, subject, session, issuedAt } = of;
  const keys = [logoutKey({ issuer, subject }, services)];
  if (session !== undefined) keys.push(logoutKey({ issuer, session }, services));
  return hasMark(services.db, keys, Math.floor(issuedAt) + seconds);
}

function logoutKey(
  { issuer, subject, session }: { issuer: string; subject?: string | undefined; session?: string },
  { rateKey }: Pick<Services, "rateKey">,
) {
  return rateKey(`logged out ${JSON.stringify({ issuer, subject, session })}`);
}

// A user whom the provider no longer lets in is not let in by anything else that depends on its word.
async function checkRules(
  { claims, rules, admins, provider }: ProvenIdentity,
  { db }: Pick<Services, "db">,
): Promise<void> {
  if (rules.length === 0 || holdsAny(rules, claims)) return;
  await refuseIdentity(db, { issuer: claims.iss, subject: claims.sub, endsRole: admins.length > 0 });
  const list = rules.map(({ claim, value }) => `${claim}=${value}`).join(" or ");
  throw new ApiError("oidc_refused", `Your account of ${provider} may not log in here: it needs ${list}`);
}

// Shown to people, so that they see whose identity they tie.
function labelOf({ preferred_username: preferred, email, name, sub }: ProvenIdentity["claims"]): string {
  const texts = [preferred, email, name, sub].filter((text) => typeof text === "string");
  const labels = texts.map((text) => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").trim());
  return [...(labels.find((label) => label !== "") ?? "")].slice(0, MAX_LABEL_LENGTH).join("");
}

/** Whether one of the rules holds for the provider's claims. */
function holdsAny(rules: readonly ClaimRule[], claims: ProvenIdentity["claims"]): boolean {
  return rules.some(({ claim, value }) => [...claimsAt(claims, claim)].some((each) => holds(each, value)));
}

// Names can contain points themselves, such as https://acme.example/role and many client names.
function* claimsAt(claims: object, path: string): Generator<unknown> {
  if (Object.hasOwn(claims, path)) yield Reflect.get(claims, path);
  for (let dot = path.indexOf("."); dot >= 0; dot = path.indexOf(".", dot + 1)) {
    const name = path.slice(0, dot);
    const inner: unknown = Object.hasOwn(claims, name) ? Reflect.get(claims, name) : undefined;
    if (typeof inner === "object" && inner !== null && !Array.isArray(inner))
      yield* claimsAt(inner, path.slice(dot + 1));
  }
}

// A claim that is a list holds when it contains the value. An object never does.
function holds(claim: unknown, value: string): boolean {
  if (Array.isArray(claim)) return claim.some((item) => !Array.isArray(item) && holds(item, value));
  return ["string", "number", "boolean"].includes(typeof claim) && String(claim) === value;
}

/** Names for a new member: the provider's, then with numbers, then random. */
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
      .slice(0, MAX_NAME_LENGTH * 4)
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
