import { takeAllowance } from "../../db/allowance.ts";
import { findMember } from "../../db/accounts/members.ts";
import { findSession, hasSession, type FoundSession } from "../../db/accounts/sessions.ts";
import { findToken, hasToken, type Token } from "../../db/accounts/tokens.ts";
import { isApiToken } from "../../tools/crypto/api-token.ts";
import { digestText } from "../../tools/crypto/key-derivation.ts";
import type {
  Caller,
  CallerAddress,
  CallerContext,
  Context,
  Credential,
  MemberCaller,
  Services,
} from "../context.ts";
import {
  clearSessionCookie,
  isSessionValue,
  readSessionCookie,
  type CookieSource,
} from "../accounts/cookies.ts";
import { isLetIn } from "../accounts/start-session.ts";
import { addressOf, rateLimited, windowsOf } from "./count.ts";
import { SESSION_IDLE_SECONDS, YOUNG_SECONDS, type RateName } from "../limits.ts";
import type { Meta } from "../meta.ts";
import { ApiError } from "../errors/errors.ts";

interface IdentifyOptions {
  readonly services: Services;
  readonly address: CallerAddress;
  /** For an embedding program, which identifies its users by it. */
  readonly request: Request;
}

/**
 * Identifies the caller by the bearer token if there is one, or else by the cookie. A bad token is refused. The cookie
 * of an ended session differs from no cookie: such a caller must not silently become anonymous.
 * @throws ApiError invalid_token, rate_limited after too many wrong ones
 */
export async function identifyCaller(credential: Credential, options: IdentifyOptions): Promise<Caller> {
  const { authorization } = credential;
  if (authorization !== null) return findByBearer(authorization, options);
  const { services, request } = options;
  if (services.embedded) {
    if (isCrossSite(credential, services)) return { tier: "anonymous" };
    return (await services.embedded.identify(request, services)) ?? { tier: "anonymous" };
  }
  if (credential.cookie === null) return { tier: "anonymous" };
  const value = readSessionCookie(credential, services);
  if (value === undefined || isCrossSite(credential, services)) return { tier: "anonymous" };
  return (await findBySession(value, options.services)) ?? { tier: "anonymous", hasEndedSession: true };
}

// A token with right check digits is looked up however many wrong ones came before: it may be the valid one of somebody
// at the same address. That costs one read, as for any valid token; only wrong ones are counted.
async function findByBearer(
  authorization: string,
  { services, address }: IdentifyOptions,
): Promise<MemberCaller> {
  const [, text = ""] = /^Bearer +(\S+) *$/i.exec(authorization) ?? [];
  const isWhole = isApiToken(text);
  const token = isWhole ? await findToken(services.db, digestText(text), services.now()) : undefined;
  if (token && (await isLetIn(token.member, services)))
    return { ...memberCaller(token, "token", services), tokenPrefix: token.prefix };
  const windows = windowsOf("wrongTokens", { services, by: addressOf(address) });
  const { allowed, resetSeconds: retryAfter } = await takeAllowance(services.db, ...windows);
  if (!allowed)
    throw rateLimited("wrongTokens", { services, tier: "anonymous", retryAfter, what: "wrong credentials" });
  // With right check digits it was a token once and has been revoked or has expired, or somebody is guessing.
  if (isWhole) services.onSecurityEvent("token_refused");
  throw new ApiError(
    "invalid_token",
    "The credential in Authorization is unknown, expired or revoked; send `Bearer <API_TOKEN>`, or no " +
      "Authorization header to call anonymously",
  );
}

/**
 * The member whose session a browser has that returns from the provider, which counts as another site; undefined for
 * nobody.
 */
export async function sessionOf(sent: CookieSource, services: Services): Promise<MemberCaller | undefined> {
  const value = readSessionCookie(sent, services);
  return value === undefined ? undefined : findBySession(value, services);
}

async function findBySession(value: string, services: Services): Promise<MemberCaller | undefined> {
  if (!isSessionValue(value)) return undefined;
  const idleLimit = { now: services.now(), idleSeconds: SESSION_IDLE_SECONDS };
  const session = await findSession(services.db, { hash: digestText(value), ...idleLimit });
  if (!session || !(await isLetIn(session.member, services))) return undefined;
  const caller = memberCaller(session, "session", services);
  return { ...caller, ...provedIn(session, services), isAdmin: session.role === "admin" };
}

/** Whether the credential of a member's call is still valid: a stream of events lasts longer than other calls. */
export async function isStillValid(
  { via, credentialId: id, memberId }: MemberCaller,
  services: Services,
): Promise<boolean> {
  const { db, now, embedded } = services;
  if (!(await isLetIn(memberId, services))) return false;
  if (via === "token") return hasToken(db, id, now());
  if (!embedded) return hasSession(db, { id, now: now(), idleSeconds: SESSION_IDLE_SECONDS });
  // The sessions of an embedding program are its own.
  return (await findMember(db, { id: memberId }))?.disabledAt === null;
}

// The value from before a proof has none of its rights.
function provedIn(session: FoundSession, { login: { passwords } }: Services) {
  const { former, provedAt, isStrong, passwordUntil, login } = session;
  // Where passwords are off, nobody can change one that opens nothing.
  const isOfOtherWay = !passwords && (login === "provider" || login === "passkey");
  const isGiven = passwordUntil !== null && !isOfOtherWay;
  if (former === null) return { provedAt, isStrong: isStrong === 1, mustChoosePassword: isGiven };
  return { isStrong: former === "strong", mustChoosePassword: isGiven || former === "choose_password" };
}

function memberCaller(
  of: Pick<Token, "id" | "member" | "memberName" | "memberCreatedAt" | "memberCreatedFrom">,
  via: MemberCaller["via"],
  services: Services,
): MemberCaller {
  const { id, member, memberName, memberCreatedAt, memberCreatedFrom: from } = of;
  const isYoung = from !== null && services.now() - memberCreatedAt < YOUNG_SECONDS;
  const origin = isYoung ? new Uint8Array(from) : undefined;
  return { tier: "member", memberId: member, memberName, via, credentialId: id, origin };
}

/** Whether the caller may call a procedure at all. @throws ApiError login_required, session_required, admin_required */
export function checkAccess(caller: Caller, access: Meta["access"]): void {
  if (access === undefined) return;
  const member = asMember(caller);
  if (access !== "member" && member.via !== "session")
    throw new ApiError(
      "session_required",
      "An API token can list and revoke secrets and raises limits; log in for everything else in the account",
    );
  if (access === "admin") checkAdmin(member);
}

/** Checks that the caller administers this instance. @throws ApiError admin_required */
export function checkAdmin({ isAdmin = false }: MemberCaller): void {
  if (isAdmin) return;
  throw new ApiError(
    "admin_required",
    "Only administrators of this server can do this; your account is not one",
  );
}

/** The caller as a member. @throws ApiError login_required */
export function asMember(caller: Caller): MemberCaller {
  if (caller.tier === "member") return caller;
  throw new ApiError("login_required", "This is for members; log in, or send `Bearer <API_TOKEN>`");
}

/**
 * Identifies the caller of a call. tRPC 11.25 copies the whole context, a property at a time, for each step that passes
 * on a changed one (unstable-core-do-not-import/procedureBuilder.ts). So the context itself is changed, and only its
 * type says so.
 * @throws ApiError login_required where their session has ended
 */
export async function identify(ctx: Context): Promise<CallerContext> {
  const caller = await ctx.identify();
  if (caller.tier === "anonymous" && caller.hasEndedSession) throw endedSession(ctx);
  // `ctx.identify` has just set it.
  return ctx as CallerContext;
}

function endedSession({ responseHeaders, services }: Context): ApiError {
  clearSessionCookie(responseHeaders, services);
  return new ApiError(
    "login_required",
    "Your session has ended. Log in again, or repeat the call without the cookie, which this answer clears",
  );
}

interface Offer {
  readonly tool?: Meta["tool"] | undefined;
  readonly ownLogin?: true | undefined;
}
type OfferServices = Pick<Services, "tools" | "embedded">;

/** Whether this instance offers a procedure. */
export function isOffered({ tool, ownLogin }: Offer, { tools, embedded }: OfferServices): boolean {
  return (tool === undefined || tools.has(tool.name)) && !(ownLogin && embedded);
}

/** Refuses a call of a procedure that this instance does not offer. @throws ApiError unknown_tool, not_found */
export function checkOffered(offer: Offer = {}, services: OfferServices): void {
  if (isOffered(offer, services)) return;
  if (offer.tool) throw unknownTool([...services.tools]);
  throw new ApiError("not_found", "This server has no logins of its own; the program that embeds it has");
}

/** There is no tool with the requested name. */
export function unknownTool(tools: readonly string[]): ApiError {
  return new ApiError("unknown_tool", `There is no such tool; the tools are ${tools.join(", ")}`, {
    tools,
  });
}

/** Refuses to callers without an account what this instance reserves for members. @throws ApiError login_required */
export function checkMayStart(
  { caller, services: { anonymous, limits } }: CallerContext,
  rate: RateName,
): void {
  const { starts } = limits.rates[rate];
  if (caller.tier === "member" || starts === undefined) return;
  if (anonymous === "all" || anonymous === starts) return;
  const what = starts === "tools" ? "use its tools" : "share secrets";
  throw new ApiError(
    "login_required",
    `This server is for members: log in, or send \`Bearer <API_TOKEN>\`, to ${what}`,
  );
}

/**
 * Restricts a call to this service's own pages: browsers add the cookie to every request by themselves.
 * @throws ApiError cross_site
 */
export function checkOwnPages({ credential, services }: Pick<Context, "credential" | "services">): void {
  if (credential.authorization !== null || !isCrossSite(credential, services)) return;
  const { origin } = new URL(services.publicUrl);
  throw new ApiError("cross_site", `Only pages of ${origin} may call this, not those of other sites`);
}

/**
 * Whether a page of another site sent this. Browsers say so in Sec-Fetch-Site or, without TLS, in Origin. A request
 * with neither does not come from a browser, or only reads.
 */
export function isCrossSite(
  { fetchSite, origin }: Credential,
  { publicUrl }: { publicUrl: string },
): boolean {
  if (fetchSite !== null) return fetchSite !== "same-origin" && fetchSite !== "none";
  return origin !== null && origin !== new URL(publicUrl).origin;
}
