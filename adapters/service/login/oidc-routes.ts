import { FastResponse } from "srvx";
import type { Caller, Services } from "../../../router/context.ts";
import { ApiError, wrongParameter } from "../../../router/errors/errors.ts";
import { toApiError } from "../../../router/errors/to-api-error.ts";
import { recordFailure } from "../../../router/policy/acts.ts";
import { countCall } from "../../../router/policy/count.ts";
import { isCrossSite, sessionOf } from "../../../router/policy/identify.ts";
import {
  factorOf,
  attemptOf,
  dropFlow,
  keepFlow,
  keepTie,
  provedAtOf,
  useFlow,
  useTie,
  type FlowOwner,
} from "../../../router/accounts/login-flow.ts";
import {
  followClaims,
  followLogout,
  identityToTie,
  memberOf,
  nameOfOwner,
  tie,
  wasLoggedOut,
  type ClaimRule,
  type ProvenIdentity,
} from "../../../router/accounts/identities.ts";
import { startSession } from "../../../router/accounts/start-session.ts";
import type { ServiceContext, ServiceRoute } from "../request-context.ts";
import { LOGOUT_SECONDS } from "./logout-token.ts";
import { loginFailedError, type Provider } from "./provider.ts";
import { loginFailure, tieQuestion } from "../pages/person-page.ts";

const START = "/api/account/oidc";
const CALLBACK = `${START}/callback`;
const TIE = `${START}/tie`;
const BACKCHANNEL = `${START}/backchannel`;
/** A logout token has a few claims and a signature. */
const MAX_LOGOUT_BYTES = 16_384;
/** The only encoding of a logout (OpenID Connect Back-Channel Logout 1.0, 2.5). */
const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
const ATTEMPT = /^[\w-]{16}$/;

/** How an organization's members log in. */
export interface OrganizationLogin {
  readonly provider: Provider;
  readonly rules: readonly ClaimRule[];
  /** One of these makes an administrator, if there are any. */
  readonly admins: readonly ClaimRule[];
  /** How long, in seconds, a provider's confirmation of a member counts. */
  readonly maxAge: number;
}

/** The way to the provider and back, for browsers only: RPC has no use for it. */
export function oidcRoutes(
  { provider, rules, admins }: OrganizationLogin,
  services: Services,
): ServiceRoute[] {
  const redirectUri = () => services.publicUrl + CALLBACK;

  async function start(context: ServiceContext): Promise<Response> {
    const { url } = context;
    // Otherwise another site could log a visitor in to an account of the attacker's choice.
    if (isCrossSite(context.credential, services))
      throw new ApiError("cross_site", "Only pages of this server may begin a login");
    await countCall({ ...context, caller: await context.identify() }, "logins");
    const next = ownPath(url.searchParams.get("next"));
    const isFresh = url.searchParams.has("fresh");
    const { url: to, checks } = await provider.begin(redirectUri(), { isFresh });
    return redirect(context, to, await keepFlow({ ...checks, next, isFresh }, context.credential, services));
  }

  async function finish(context: ServiceContext): Promise<Response> {
    const { url } = context;
    // A login is counted when it begins; this only completes it, or is refused without contacting anybody.
    await countCall({ ...context, caller: ANYBODY }, "accountCalls");
    const state = url.searchParams.get("state") ?? "";
    const flow = await useFlow(context.credential, state, services);
    if (!flow) throw loginFailedError(provider.name);
    context.responseHeaders.append("set-cookie", dropFlow(attemptOf(state), services));
    // The Host header must not appear in a URL that the provider compares.
    const back = new URL(redirectUri() + url.search);
    const claims = await provider.finish(back, flow, services.now() - flow.startedAt);
    const proven = { claims, rules, admins, provider: provider.name };
    if (flow.tie) return ask(context, { proven, owner: flow.tie, attempt: attemptOf(state) });
    const { id } = await memberOf(proven, services);
    await followClaims(id, proven, services);
    const before = await sessionOf(context.credential, services);
    const session = textOf(claims.sid);
    const by = { issuer: claims.iss, subject: claims.sub };
    const isOver = () =>
      wasLoggedOut({ ...by, session, issuedAt: Number(claims.iat) }, { seconds: LOGOUT_SECONDS, services });
    const provedAt = flow.isFresh ? undefined : provedAtOf(claims, services.now());
    const proof = { factors: [factorOf(claims)], providerSession: session, provedAt, isOver };
    await startSession(id, { ...context, caller: before ?? ANYBODY }, { ...proof, by });
    return redirect(context, services.basePath + flow.next, cookiesOf(context));
  }

  // On the way back the browser sends the session's cookie, but the request comes from another site. So this only asks,
  // and only a request from our own page ties the identity.
  async function ask(
    context: ServiceContext,
    { attempt, ...back }: { proven: ProvenIdentity; owner: FlowOwner; attempt: string },
  ): Promise<Response> {
    const account = await nameOf(back.owner, context);
    const pending = await identityToTie(back, services);
    context.responseHeaders.append("set-cookie", await keepTie(pending, attempt, services));
    const { name: identity } = pending;
    return tieQuestion(context, {
      account,
      identity,
      provider: provider.name,
      action: `${services.basePath}${TIE}?attempt=${attempt}`,
    });
  }

  async function answer(context: ServiceContext): Promise<Response> {
    const { url } = context;
    if (isCrossSite(context.credential, services))
      throw new ApiError("cross_site", "Only pages of this server may tie an account");
    await countCall({ ...context, caller: await context.identify() }, "accountCalls");
    const attempt = url.searchParams.get("attempt") ?? "";
    const pending = ATTEMPT.test(attempt) && (await useTie(context.credential, attempt, services));
    if (!pending) throw loginFailedError(provider.name);
    context.responseHeaders.append("set-cookie", dropFlow(attempt, services));
    await nameOf(pending.owner, context);
    await tie(pending, provider.name, services);
    return redirect(context, `${services.basePath}/account`, cookiesOf(context));
  }

  // Called by the provider itself, not by a browser.
  async function logOut(context: ServiceContext): Promise<Response> {
    await countCall({ ...context, caller: ANYBODY }, "accountCalls");
    const tooLarge = () => new ApiError("oidc_failed", `The logout has more than ${MAX_LOGOUT_BYTES} bytes`);
    const body = await context.body.bytes({ limit: MAX_LOGOUT_BYTES, tooLarge });
    const sent = new URLSearchParams(new TextDecoder().decode(body)).getAll("logout_token");
    const [token, another] = FORM.test(context.request.headers.get("content-type") ?? "") ? sent : [];
    // A parameter that occurs twice counts as missing (RFC 6749, 3.1).
    if (token === undefined || another !== undefined)
      throw wrongParameter(
        "missing_parameter",
        "logout_token",
        "must be sent exactly once, as application/x-www-form-urlencoded",
      );
    const logout = await provider.readLogout(token);
    await followLogout(logout, { provider, seconds: LOGOUT_SECONDS, services });
    return new FastResponse(null, { headers: new Headers(context.responseHeaders) });
  }

  /** The name of the member in whose session this was requested. @throws ApiError login_required */
  async function nameOf(owner: FlowOwner, { credential }: ServiceContext): Promise<string> {
    return nameOfOwner(owner, await sessionOf(credential, services));
  }

  const forPeople =
    (handle: (context: ServiceContext) => Promise<Response>) =>
    async (context: ServiceContext): Promise<Response> => {
      if (context.request.method === "HEAD")
        return new FastResponse(null, { headers: new Headers(context.responseHeaders) });
      try {
        return await handle(context);
      } catch (error) {
        const failure = toApiError(error);
        if (FAILURES.includes(failure.code)) {
          services.onSecurityEvent("oidc_refused");
          await recordFailure("account.login_failed", { services, login: "provider" });
        }
        const accepts = context.request.headers.get("accept") ?? "";
        if (failure.code === "internal" || !accepts.includes("text/html")) throw error;
        return loginFailure(context, failure);
      }
    };
  return [
    { method: "GET", path: START, handle: forPeople(start) },
    { method: "GET", path: CALLBACK, handle: forPeople(finish) },
    { method: "POST", path: TIE, handle: forPeople(answer) },
    { method: "POST", path: BACKCHANNEL, handle: logOut },
  ];
}

const ANYBODY: Caller = { tier: "anonymous" };

function textOf(claim: unknown): string | undefined {
  return typeof claim === "string" && claim.length <= 255 ? claim : undefined;
}

const FAILURES: readonly string[] = [
  ...["oidc_failed", "oidc_refused", "identity_taken", "invalid_credentials", "account_disabled"],
];

/** The path of a page of this instance, which no browser could take for another host. */
function ownPath(text: string | null): string {
  return text !== null && /^\/(?![/\\])[\w./~-]{0,200}$/.test(text) ? text : "/account";
}

function cookiesOf({ responseHeaders }: ServiceContext): string[] {
  return [...new Set(responseHeaders.getSetCookie())];
}

function redirect(context: ServiceContext, to: string, cookies: readonly string[]): Response {
  const headers = new Headers(context.responseHeaders);
  headers.delete("set-cookie");
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  headers.set("Location", to);
  return new FastResponse(null, { status: 302, headers });
}
