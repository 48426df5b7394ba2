import { setRole } from "../../db/accounts/administered.ts";
import {
  findByIdentity,
  insertIdentityMember,
  peekIdentity,
  refuseIdentity,
  tieIdentity,
} from "../../db/accounts/identities.ts";
import { endProviderSessions } from "../../db/accounts/sessions.ts";
import { randomBase62 } from "../../tools/crypto/base62.ts";
import type { MemberCaller, Services } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { HANDLE_LENGTH } from "../schemas.ts";
import type { FlowOwner, PendingTie } from "./login-flow.ts";
import { noteTried } from "../policy/acts.ts";

/** `claim=value` of OIDC_REQUIRE. */
export interface ClaimRule {
  /** The name of a claim, or of one inside of another, with a point before each name but the first. */
  readonly claim: string;
  readonly value: string;
}

/** What a provider says of who has logged in there, and what this instance asks of them. */
export interface ProvenIdentity {
  readonly claims: Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };
  /** Any of which must hold, where there are some. */
  readonly rules: readonly ClaimRule[];
  /** Any of which makes an administrator, where there are some. */
  readonly admins: readonly ClaimRule[];
  /** What the provider is called. */
  readonly provider: string;
}

const MAX_NAME_LENGTH = 32;
const MIN_NAME_LENGTH = 3;
/** Names that are tried before a random one. */
const NUMBERED_NAMES = 20;
/** Of what a provider calls somebody. */
const MAX_LABEL_LENGTH = 100;

/** The member whom a provider names, who is made at the first login. @throws ApiError oidc_refused */
export async function memberOf(
  proven: ProvenIdentity,
  services: Services,
): Promise<{ id: string; isNew: boolean }> {
  const { claims } = proven;
  noteTried(await peekIdentity(services.db, { issuer: claims.iss, subject: claims.sub }));
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

/** Makes a member an administrator or no longer one, as the claims of this login say. True where that has changed. */
export async function followClaims(
  member: string,
  { claims, admins }: Pick<ProvenIdentity, "claims" | "admins">,
  { db }: Pick<Services, "db">,
): Promise<boolean> {
  if (admins.length === 0) return false;
  return setRole(db, { id: member, role: holdsAny(admins, claims) ? "admin" : null });
}

/**
 * The identity that a member has brought back and that may be theirs, once they have said yes.
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
 * What the member is called for whom an identity was asked for, where it is still their session that comes back.
 * @throws ApiError login_required
 */
export function nameOfOwner({ member, session }: FlowOwner, caller: MemberCaller | undefined): string {
  if (caller?.memberId === member && caller.credentialId === session) return caller.memberName;
  throw new ApiError("login_required", "The session that asked for this has ended; log in again");
}

/** Ties an identity to the member who has said yes. @throws ApiError identity_taken */
export async function tie(
  { owner: { member }, issuer, subject, name }: PendingTie,
  provider: string,
  { db, now }: Pick<Services, "db" | "now">,
): Promise<void> {
  if (await tieIdentity(db, { issuer, subject, name, member, now: now() })) return;
  throw new ApiError("identity_taken", `This account of ${provider} belongs to another member here`);
}

/**
 * Ends the sessions of whom a provider has logged out. A token that says so is good once. @throws ApiError oidc_failed
 */
export async function followLogout(
  { id, subject, session }: { id: string; subject: string | undefined; session: string | undefined },
  {
    provider: { issuer, name },
    seconds,
    services,
  }: { provider: { issuer: string; name: string }; seconds: number; services: Services },
): Promise<void> {
  const { db, now, rateKey } = services;
  const keyHash = rateKey(`logout token ${id}`);
  const claim = { keyHash, claim: randomBase62(HANDLE_LENGTH), now: now(), sweepAt: now() + seconds };
  if (await endProviderSessions(db, { issuer, subject, providerSession: session, claim })) return;
  throw new ApiError("oidc_failed", `This logout of ${name} was told before`);
}

// Whoever the provider no longer lets in is let in by nothing else that hangs on its word.
async function checkRules(
  { claims, rules, admins, provider }: ProvenIdentity,
  { db }: Pick<Services, "db">,
): Promise<void> {
  if (rules.length === 0 || holdsAny(rules, claims)) return;
  await refuseIdentity(db, { issuer: claims.iss, subject: claims.sub, endsRole: admins.length > 0 });
  const list = rules.map(({ claim, value }) => `${claim}=${value}`).join(" or ");
  throw new ApiError("oidc_refused", `Your account of ${provider} may not log in here: it needs ${list}`);
}

// For people, so that they see whose account they tie.
function labelOf({ preferred_username: preferred, email, name, sub }: ProvenIdentity["claims"]): string {
  const texts = [preferred, email, name, sub].filter((text) => typeof text === "string");
  const labels = texts.map((text) => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").trim());
  return [...(labels.find((label) => label !== "") ?? "")].slice(0, MAX_LABEL_LENGTH).join("");
}

/** Whether one of the rules holds for what a provider says. */
function holdsAny(rules: readonly ClaimRule[], claims: ProvenIdentity["claims"]): boolean {
  return rules.some(({ claim, value }) => [...claimsAt(claims, claim)].some((each) => holds(each, value)));
}

// Names may have points themselves, as https://acme.example/role and many names of clients.
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
