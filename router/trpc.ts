import { initTRPC } from "@trpc/server";
import { TRPC_ERROR_CODES_BY_KEY, type TRPC_ERROR_CODE_KEY } from "@trpc/server/rpc";
import { bytesTransformer } from "../wire/byte-tree.ts";
import type { Caller, CallerContext, Context, MemberCaller, Services } from "./context.ts";
import { checkFileSizes, errorBody, type ErrorShape, fileTooLarge } from "./errors/errors.ts";
import { toApiError } from "./errors/to-api-error.ts";
import type { RateName } from "./limits.ts";
import type { Meta, ToolMeta } from "./meta.ts";
import { actingAsAdmin, tellingFailures } from "./policy/acts.ts";
import {
  asMember,
  checkAccess,
  checkAdmin,
  checkMayStart,
  checkOffered,
  checkOwnPages,
  identify,
} from "./policy/identify.ts";
import { countCall } from "./policy/count.ts";
import { checkNotDeleted } from "./accounts/members.ts";
import { checkMayEnrol, checkOwnPassword, checkStrong } from "./accounts/step-up.ts";
import { inSession, waiting } from "./policy/running-call.ts";

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false,
    transformer: bytesTransformer,
    // Over REST the same as a comment: no proxy takes the connection for a dead one.
    sse: { ping: { enabled: true, intervalMs: 25_000 } },
    // RPC has the same keys as REST; the typed client finds them in `error.data`.
    errorFormatter: ({ error: thrown, ctx, path, input }): ErrorShape => {
      const error = ctx ? ctx.services.explainError(thrown, { path, input, ctx }) : toApiError(thrown);
      const data = { ...errorBody(error, ctx?.requestId ?? ""), httpStatus: error.status };
      return { message: error.message, code: rpcCode(error.status), data };
    },
  });

export const router = t.router;

// JSON-RPC wants a number too. tRPC has none for some statuses; `httpStatus` is what both sides read.
const RPC_CODES: Readonly<Record<number, TRPC_ERROR_CODE_KEY>> = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_SUPPORTED",
  408: "TIMEOUT",
  409: "CONFLICT",
  410: "NOT_FOUND",
  413: "PAYLOAD_TOO_LARGE",
  414: "BAD_REQUEST",
  415: "UNSUPPORTED_MEDIA_TYPE",
  416: "BAD_REQUEST",
  422: "UNPROCESSABLE_CONTENT",
  429: "TOO_MANY_REQUESTS",
  503: "SERVICE_UNAVAILABLE",
};

function rpcCode(status: number) {
  return TRPC_ERROR_CODES_BY_KEY[RPC_CODES[status] ?? "INTERNAL_SERVER_ERROR"];
}

const identified = t.middleware(async ({ ctx, next }) => {
  await identify(ctx);
  return next<{ caller: Caller }>({});
});

const fromOwnPages = t.middleware(({ ctx, meta, next }) => {
  checkOffered(meta, ctx.services);
  checkOwnPages(ctx);
  return next();
});

/** A procedure that tells everybody the same, which costs less than to count the call. A bad token is refused too. */
export const publicProcedure = t.procedure.use(async ({ ctx, next }) => {
  if (ctx.credential.authorization !== null) await ctx.identify();
  return next();
});

/** A procedure for everybody, with a rate limit. A credential is not needed, but a bad one is refused. */
export function limitedProcedure(rate: RateName) {
  return t.procedure.meta({ rate }).use(async ({ ctx, meta, next }) => {
    checkOffered(meta, ctx.services);
    const identifiedCtx = await identify(ctx);
    const { caller, services } = identifiedCtx;
    if (caller.tier === "member" && services.limits.rates[rate].starts) checkStrong(caller, services);
    checkMayStart(identifiedCtx, rate);
    await countCall(identifiedCtx, rate);
    return explained(await next<{ caller: Caller }>({}), identifiedCtx);
  });
}

// Looked up only where a call has failed for no reason that it named.
async function explained<Result extends { readonly ok: boolean; readonly error?: unknown }>(
  result: Result,
  { caller, services }: Pick<CallerContext, "caller" | "services">,
): Promise<Result> {
  if (!result.ok && toApiError(result.error).code === "internal") await checkNotDeleted(caller, services);
  return result;
}

/** For calls with small inputs and results: all their time counts as waiting, also for the loop of a busy machine. */
const timed = t.middleware(({ next }) => waiting(next()));

const watched = t.middleware(async ({ ctx, meta, next }) => {
  const result = await next();
  const event = meta?.events?.[result.ok ? "ok" : toApiError(result.error).code];
  if (event) ctx.services.onSecurityEvent(event);
  return result;
});

/** Starts or ends a session; the cookie of an ended session does not get in the way. */
const authProcedure = t.procedure
  .use(timed)
  .use(watched)
  .use(fromOwnPages)
  .use(async ({ ctx, meta, next }) => {
    await ctx.identify();
    return tellingFailures(meta, ctx.services, () => next<{ caller: Caller }>({}));
  });

/** An authProcedure with a rate limit. */
export function limitedAuthProcedure(rate: RateName) {
  return authProcedure.meta({ rate }).use(async ({ ctx, next }) => {
    await countCall(ctx, rate);
    return next();
  });
}

/** A member's call, before it is asked with what they logged in. */
const anyMemberProcedure = t.procedure
  .meta({ access: "member", rate: "accountCalls" })
  .use(timed)
  .use(watched)
  .use(fromOwnPages)
  .use(identified)
  .use(async ({ ctx, next }) => {
    asMember(ctx.caller);
    await countCall(ctx, "accountCalls");
    return explained(await next<{ caller: MemberCaller }>({}), ctx);
  });

const strong = t.middleware(({ ctx, next }) => {
  // Every procedure with it has identified its caller.
  const { caller } = ctx as typeof ctx & { caller: Caller };
  if (caller.tier === "member") checkStrong(caller, ctx.services);
  return next();
});

/** A procedure for members, by token or session. */
export const memberProcedure = anyMemberProcedure.use(strong);

/** A procedure for everybody who is logged in, also by a password of an administrator's: what they need to change it. */
export const loggedInProcedure = anyMemberProcedure
  .meta({ access: "session" })
  .use(({ ctx: { caller, services }, next }) => {
    checkAccess(caller, "session");
    return whileLoggedIn(caller, services, () => next());
  });

/** The same with a password of their own, also where they lack a second factor that this instance wants. */
export const settingsProcedure = loggedInProcedure.use(({ ctx: { caller }, next }) => {
  checkOwnPassword(caller);
  return next();
});

/** A settingsProcedure that changes with what the member logs in. */
export const factorProcedure = settingsProcedure.use(async ({ ctx: { caller, services }, next }) => {
  await checkMayEnrol(caller, services);
  return next();
});

/** A procedure for members who are logged in: a stolen token must never give access to the account. */
export const sessionProcedure = settingsProcedure.use(strong);

/** A procedure for administrators, who are members with a role. */
export const adminProcedure = sessionProcedure.meta({ access: "admin" }).use(({ ctx, meta, next }) => {
  checkAdmin(ctx.caller);
  const work = () => actingAsAdmin(meta, ctx.services, () => next());
  return whileLoggedIn(ctx.caller, ctx.services, work, true);
});

// The sessions of an embedding program are its own.
function whileLoggedIn<T>(caller: MemberCaller, { embedded }: Services, work: () => T, isAdmin = false): T {
  if (embedded) return work();
  return inSession({ member: caller.memberId, session: caller.credentialId, isAdmin }, work);
}

/** A file tool: limited, admitted and counted before the body is read. */
export const toolProcedure = limitedProcedure("tools").use(({ ctx, meta, next }) =>
  ctx.budget.inTurn(() => runToolCall(ctx, meta?.tool, () => next())),
);

/** Applies the caller's size limits to the files of an RPC call; REST counts them while it reads. */
export const checkedFileSizes = t.middleware(async ({ ctx, input, next }) => {
  const { tier } = await ctx.identify();
  const { limits } = ctx.services;
  if (isObject(input)) {
    const { file } = input;
    if (file instanceof Uint8Array && file.length > limits[tier].fileSize)
      throw fileTooLarge(limits, { tier, actual: file.length });
    if (Array.isArray(input.files)) checkFileSizes(input.files.map(sizeOf), tier, limits);
  }
  return next();
});

function sizeOf(file: unknown): number {
  return isObject(file) && file.data instanceof Uint8Array ? file.data.length : 0;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/**
 * Runs a tool within the caller's share of calls and memory, and counts whether it succeeded.
 * @throws ApiError too_many_concurrent
 */
async function runToolCall<Result extends { readonly ok: boolean }>(
  ctx: CallerContext,
  tool: ToolMeta | undefined,
  run: () => Promise<Result>,
): Promise<Result> {
  ctx.budget.claimPlace();
  ctx.budget.claimBody(tool?.weight ?? 1);
  const result = await run();
  const { now, onToolCall, usage } = ctx.services;
  const call = { tool: tool?.name ?? "", succeeded: result.ok };
  onToolCall(call);
  usage.count({ ...call, address: ctx.address.usage, hour: Math.floor(now() / 3600) * 3600 });
  return result;
}
