import { FastResponse } from "srvx";
import { basePathOf } from "../../../router/base-path.ts";
import type { CallerContext, Services } from "../../../router/context.ts";
import { ApiError } from "../../../router/errors/errors.ts";
import { toApiError } from "../../../router/errors/to-api-error.ts";
import { asMember, checkAccess } from "../../../router/policy/access.ts";
import { countCall } from "../../../router/policy/count.ts";
import { isCrossSite } from "../../../router/policy/cross-site.ts";
import { followClaims, memberOf, tieTo, type ClaimRule } from "../../../router/accounts/identities.ts";
import { dropFlow, keepFlow, readFlow, type LoginFlow } from "../../../router/accounts/login-flow.ts";
import { startSession } from "../../../router/accounts/start-session.ts";
import { baseHeaders } from "../../trpc/request-context.ts";
import type { ServiceContext } from "../request-context.ts";
import type { ServiceRoute } from "../route.ts";
import { failed, type Provider } from "./provider.ts";
import { loginFailure } from "../pages/login-failure.ts";

const START = "/api/account/oidc";
const CALLBACK = `${START}/callback`;

/** How an organisation's members log in. */
export interface OrganisationLogin {
  readonly provider: Provider;
  readonly rules: readonly ClaimRule[];
  /** Any of which makes an administrator, where there are some. */
  readonly admins: readonly ClaimRule[];
}

/** The way to the provider and back. Both are pages for browsers, which RPC has no use for. */
export function oidcRoutes(
  { provider, rules, admins }: OrganisationLogin,
  services: Services,
): ServiceRoute[] {
  const redirectUri = () => services.publicUrl + CALLBACK;

  async function start(context: ServiceContext): Promise<Response> {
    const { trpcContext: ctx, url } = context;
    const caller = await ctx.identify();
    await countCall({ ...ctx, caller }, "logins");
    const tie = url.searchParams.has("tie") ? tieOf({ ...ctx, caller }) : undefined;
    const next = ownPath(url.searchParams.get("next"));
    const { url: to, checks } = await provider.begin(redirectUri());
    return redirect(context, to, [await keepFlow({ ...checks, next, tie }, services)]);
  }

  async function finish(context: ServiceContext): Promise<Response> {
    const { trpcContext: ctx, url } = context;
    const caller = { tier: "anonymous" as const };
    // What begins is counted as a login; this only ends what has begun, or is refused without asking anybody.
    await countCall({ ...ctx, caller }, "accountCalls");
    const flow = await readFlow(ctx.credential.cookie, services);
    if (!flow) throw failed(provider.name);
    // What somebody sends as a Host header is in no URL that a provider compares.
    const claims = await provider.finish(new URL(redirectUri() + url.search), flow);
    const claimed = { claims, rules, provider: provider.name };
    const tell = (event: string, account: string) =>
      services.onAct?.({ event, account, address: ctx.address.usage });
    if (flow.tie) {
      await tieTo(flow.tie, claimed, services);
      tell("account.identity_added", flow.tie.member);
    } else {
      const { id, isNew } = await memberOf(claimed, services);
      if (await followClaims(id, { claims, admins }, services)) tell("account.role_changed", id);
      // What a second factor is, the provider has asked for.
      await startSession(id, { ...ctx, caller }, { isStrong: true });
      tell(isNew ? "account.created" : "account.login", id);
    }
    const cookies = [dropFlow(services), ...ctx.responseHeaders.getSetCookie()];
    return redirect(context, basePathOf(services.publicUrl) + flow.next, cookies);
  }

  const forPeople =
    (handle: (context: ServiceContext) => Promise<Response>) =>
    async (context: ServiceContext): Promise<Response> => {
      if (context.request.method === "HEAD") return new FastResponse(null, { headers: baseHeaders(context) });
      try {
        return await handle(context);
      } catch (error) {
        const failure = toApiError(error);
        if (isFailure(failure)) services.onSecurityEvent("oidc_refused");
        // A flow is over, whatever came of it.
        context.responseHeaders.append("set-cookie", dropFlow(services));
        const accepts = context.request.headers.get("accept") ?? "";
        if (failure.code === "internal" || !accepts.includes("text/html")) throw error;
        return loginFailure(context, failure);
      }
    };
  return [
    { method: "GET", path: START, handle: forPeople(start) },
    { method: "GET", path: CALLBACK, handle: forPeople(finish) },
  ];
}

function isFailure({ code }: ApiError): boolean {
  return code === "oidc_failed" || code === "oidc_refused" || code === "identity_taken";
}

/** A page of this instance: nothing that a browser could read as another host. */
function ownPath(text: string | null): string {
  return text !== null && /^\/(?![/\\])[\w./~-]{0,200}$/.test(text) ? text : "/account";
}

// The browser sends the cookie of the session along on the way back too, but as from another site, where it counts for
// nothing. What ties is what was asked for here, in a session that still lives.
function tieOf(ctx: CallerContext): NonNullable<LoginFlow["tie"]> {
  if (isCrossSite(ctx.credential, ctx.services)) {
    throw new ApiError("cross_site", "Only pages of this instance may tie an account");
  }
  const { caller } = ctx;
  checkAccess(caller, "session");
  const { memberId, credentialId } = asMember(caller);
  return { member: memberId, session: credentialId };
}

function redirect(context: ServiceContext, to: string, cookies: readonly string[]): Response {
  const headers = baseHeaders(context);
  headers.delete("set-cookie");
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  headers.set("Location", to);
  return new FastResponse(null, { status: 302, headers });
}
