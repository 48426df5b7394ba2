import { hasIdentity } from "../../db/accounts/identities.ts";
import {
  endSession,
  insertSession,
  proveSession,
  type NewSession,
  type UsedWayIn,
} from "../../db/accounts/sessions.ts";
import type { LoginKind } from "../../db/accounts/tables.ts";
import type { TransactionSteps } from "../../db/stored-bytes.ts";
import { randomBase62 } from "../../tools/crypto/base62.ts";
import { digestText } from "../../tools/crypto/key-derivation.ts";
import type { CallerContext, MemberCaller, Services } from "../context.ts";
import { ApiError } from "../errors/errors.ts";
import { HANDLE_LENGTH, SESSION_VALUE_LENGTH } from "../schemas.ts";
import { accountDisabled, existingMember } from "./members.ts";
import { SESSION_SECONDS } from "../limits.ts";
import { readSessionCookie, sessionCookie } from "./cookies.ts";

/**
 * A factor with which somebody proves who they are. A passkey counts as two, because its device asks for a finger or a
 * PIN; so does a provider that vouches for more than one (`provider`), and an embedding program that knows its own
 * users.
 */
export type Factor =
  "password" | "totp" | "recovery" | "passkey" | "provider" | "provider_one_factor" | "embedder";

/** A proof of identity that was just given. */
interface Proof {
  /** In the order in which they were given. */
  readonly factors: readonly Factor[];
  /** The provider's id for its own session. */
  readonly providerSession?: string | undefined;
  /** When it was given, in unix seconds, if not just now. */
  readonly provedAt?: number | undefined;
}

const WHOLE: readonly Factor[] = ["passkey", "provider", "embedder"];

/** The name of a login by its most telling factor: the recovery code where it was used. */
function loginKind({ factors }: Proof): LoginKind {
  if (factors.includes("recovery")) return "recovery";
  if (factors.includes("totp")) return "totp";
  if (factors.includes("passkey")) return "passkey";
  return factors.includes("password") ? "password" : "provider";
}

/** What starting a session needs: the caller, and the headers of the answer that sets its cookie. */
type SessionContext = Pick<CallerContext, "caller" | "services" | "responseHeaders">;

/**
 * Turns a proof into a session: every way into an account ends here. Ends the browser's previous session. `keep`
 * stores the answer that sets this cookie, where the call may be repeated.
 * @throws ApiError account_disabled, account_deleted, oidc_refused, invalid_credentials where what was proved has been
 * changed or removed since
 */
export async function startSession(
  member: string,
  ctx: SessionContext,
  {
    by,
    keep,
    isOver,
    ...proof
  }: Proof & {
    readonly by: UsedWayIn;
    /** Whether what was proved has ended elsewhere; asked when the session is stored, so that one finds the other. */
    readonly isOver?: () => Promise<boolean>;
    readonly keep?: ((cookie: string) => Promise<TransactionSteps["keep"]>) | undefined;
  },
): Promise<void> {
  const { db } = ctx.services;
  if (!(await isLetIn(member, ctx.services))) {
    const name = ctx.services.login.oidc?.name ?? "the organization's account";
    throw new ApiError(
      "oidc_refused",
      `${name} has not confirmed this account for a while; log in by ${name}`,
    );
  }
  await endOwnSession(ctx);
  const { session, cookie } = makeSession(member, ctx, proof);
  if (!(await insertSession(db, session, { by, keep: await keep?.(cookie) }))) {
    const { disabledAt } = await existingMember(member, ctx.services);
    throw disabledAt === null ? wayInEnded() : accountDisabled();
  }
  if (await isOver?.()) {
    await endSession(db, member, session.id);
    throw wayInEnded();
  }
  ctx.responseHeaders.set("set-cookie", cookie);
}

/**
 * A session that is not stored yet, and its cookie. Its value is always new, so that a cookie planted in the browser
 * never becomes a member's (session fixation).
 */
export function makeSession(
  member: string,
  { services: { now, publicUrl } }: Pick<SessionContext, "services">,
  proof: Proof,
): { session: NewSession; cookie: string } {
  const [id, value, createdAt] = [randomBase62(HANDLE_LENGTH), randomBase62(SESSION_VALUE_LENGTH), now()];
  const session = {
    id,
    hash: digestText(value),
    member,
    createdAt,
    expiresAt: createdAt + SESSION_SECONDS,
    provedAt: proof.provedAt,
    // More than one factor (NIST SP 800-63B, 2.2).
    isStrong: proof.factors.some((factor) => WHOLE.includes(factor)) || new Set(proof.factors).size > 1,
    login: loginKind(proof),
    providerSession: proof.providerSession ?? null,
  };
  return { session, cookie: sessionCookie({ value, seconds: SESSION_SECONDS, publicUrl }) };
}

/** What a proof within a session needs: the caller, the cookie, and the headers of the answer. */
export type ProofContext = Pick<CallerContext, "services" | "credential" | "responseHeaders"> & {
  readonly caller: MemberCaller;
};

/** How long the value from before a proof stays valid, for requests that are under way with it. */
const FORMER_SECONDS = 30;

/**
 * Stores that the caller has given a proof, whether it was strong, and whether it was all that the account asks for,
 * and changes the session's value (OWASP ASVS 5.0.0, 7.2.4). One factor of two counts for its own call alone. The
 * previous value stays valid a little longer, with its previous rights. Of several proofs at the same time the first
 * one counts for the session, and each for its own call: the answer to a later one would replace the cookie of the
 * first. A user of an embedding program has a session there, which stays as it is.
 */
export async function renewSession(
  ctx: ProofContext,
  { isStrong, isWhole = false }: { isStrong: boolean; isWhole?: boolean },
): Promise<void> {
  const { caller, credential, responseHeaders, services } = ctx;
  const former = readSessionCookie(credential, services);
  if (former === undefined) return;
  const [value, now] = [randomBase62(SESSION_VALUE_LENGTH), services.now()];
  const expiresAt = await proveSession(services.db, {
    id: caller.credentialId,
    now,
    isStrong,
    isWhole,
    from: digestText(former),
    to: digestText(value),
    formerUntil: now + FORMER_SECONDS,
    formerRights: caller.mustChoosePassword ? "choose_password" : caller.isStrong ? "strong" : "weak",
  });
  if (expiresAt === undefined) return;
  const cookie = sessionCookie({ value, seconds: expiresAt - now, publicUrl: services.publicUrl });
  responseHeaders.set("set-cookie", cookie);
}

/** Ends the session of the call. False when it has none. */
export async function endOwnSession({ caller, services }: SessionContext): Promise<boolean> {
  if (caller.tier !== "member" || caller.via !== "session") return false;
  return endSession(services.db, caller.memberId, caller.credentialId);
}

/**
 * Whether the member's other ways in may open the account: where passwords are off and the provider's claims decide who
 * may enter, only while the provider has confirmed them recently.
 */
export async function isLetIn(
  member: string,
  { db, now, login: { oidc, confirmedSeconds } }: Pick<Services, "db" | "now" | "login">,
): Promise<boolean> {
  if (!oidc || confirmedSeconds === null) return true;
  return hasIdentity(db, { issuer: oidc.issuer, member, confirmedAfter: now() - confirmedSeconds });
}

function wayInEnded(): ApiError {
  return new ApiError(
    "invalid_credentials",
    "What opens this account was changed while you logged in; log in again",
  );
}
