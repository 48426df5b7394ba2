import { initTRPC, TRPCError, type AnyTRPCProcedure } from "@trpc/server";
import type { OpenApiMeta } from "trpc-to-openapi";
import { z } from "zod";
import { countUse } from "../db/usage.ts";
import { decodeBase64Tree, encodeBase64Tree } from "../wire/base64-tree.ts";
import type { Caller, Context, Services } from "./context.ts";
import { clearSessionCookie, isCrossSite } from "./policy/session-cookie.ts";
import { callerKey, countCall } from "./policy/count.ts";
import { explainInput } from "./invalid-input.ts";
import { LIMITS, type RateName } from "./limits.ts";
import { checkFileSize, checkFileSizes, problemBody, problemOf, ApiError, type Problem } from "./errors.ts";

/** How the REST http carries a procedure; the RPC http needs none of it. */
export interface HttpMeta {
  /** file: raw bytes and a query, stream: the same, still arriving and perhaps empty; json: a JSON object; fields: JSON or a form; content: a secret's body. */
  readonly body: "none" | "file" | "stream" | "files" | "json" | "fields" | "content";
  /** file: bytes or an envelope, by Accept; json: an object; secret kinds may answer plain text. */
  readonly result: "file" | "json";
  readonly status?: 201;
  /** The name of the result's field that `raw=true` or `Accept: text/plain` answers as bare text. */
  readonly text?: { readonly field: string; readonly by: "raw" | "accept" };
  /** More ways to the same procedure. */
  readonly aliases?: readonly string[];
  readonly alsoGet?: true;
  /** The JSON may be as large as the caller's files together. */
  readonly largeJson?: true;
  /** In a browser only this service's own pages may call it: no CORS. */
  readonly ownPagesOnly?: true;
}

export interface ToolMeta {
  readonly name: string;
  readonly title: string;
  /** Media types of the result, where it is a file. */
  readonly types?: readonly string[];
  /** Memory held per byte of body while the tool works, measured. */
  readonly weight: number;
}

export type Meta = OpenApiMeta<{
  http?: HttpMeta;
  tool?: ToolMeta;
  errors?: readonly number[];
  /** The rate that calls count under. */
  rate?: RateName;
  /** Whom it is for, where not for everybody: members, or only those who are logged in. */
  access?: "member" | "session";
}>;

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    isDev: false,
    transformer: { serialize: encodeBase64Tree, deserialize: decodeBase64Tree },
    // Both doors tell a failure with the same keys; the typed client finds them in `error.data`.
    errorFormatter: ({ shape, error, ctx, path, input }) => {
      const problem = explainError(error, { procedure: procedureAt(path), input });
      const data = problemBody(problem, ctx?.requestId ?? "");
      return { message: problem.error, code: shape.code, data: { ...data, httpStatus: problem.status } };
    },
  });

export const router = t.router;

let procedureAt: (path: string | undefined) => AnyTRPCProcedure | undefined = () => undefined;

/** Tells the error formatter where to find a procedure's schema; the app router is only known later. */
export function knowProcedures(find: typeof procedureAt): void {
  procedureAt = find;
}

interface FailedCall {
  readonly procedure: AnyTRPCProcedure | undefined;
  readonly input: unknown;
  readonly locate?: (name: string) => string;
}

/** The problem behind whatever a procedure call threw, input errors in the words of its schema. */
export function explainError(error: unknown, { procedure, input, locate }: FailedCall): Problem {
  const cause = error instanceof TRPCError ? error.cause : undefined;
  const schema = procedure && inputSchemaOf(procedure);
  if (cause instanceof z.ZodError && schema) return explainInput(cause, { schema, input, locate });
  return problemOf(error);
}

/** The zod object that a procedure takes, if it takes one. */
export function inputSchemaOf(procedure: AnyTRPCProcedure): z.ZodObject | undefined {
  // `_def.inputs` is where tRPC keeps parsers; it is typed as unknown.
  const [schema] = (procedure._def as unknown as { inputs: unknown[] }).inputs;
  return schema instanceof z.ZodObject ? schema : undefined;
}

const identified = t.middleware(async ({ ctx, next }) => {
  const caller = await ctx.identify();
  if (caller.tier === "anonymous" && caller.hasEndedSession) throw endedSession(ctx);
  return next({ ctx: { caller } });
});

// A credential that comes unasked with every request of the browser counts from our own pages only.
const fromOwnPages = t.middleware(({ ctx, next }) => {
  const { credential, services } = ctx;
  if (credential.authorization === null && isCrossSite(credential, services)) throw crossSite(services);
  return next();
});

/** A procedure for everybody; a credential, where one comes, must still be a good one. */
export const publicProcedure = t.procedure.use(identified);

/** A procedure for everybody, at most so often. */
export function limitedProcedure(rate: RateName) {
  return publicProcedure.meta({ rate }).use(async ({ ctx, next }) => {
    await countCall(ctx, rate);
    return next();
  });
}

/** A way to a session or out of it; what is left of an old one does not stand in it. */
export const authProcedure = t.procedure.use(fromOwnPages).use(async ({ ctx, next }) => {
  return next({ ctx: { caller: await ctx.identify() } });
});

/** A way to a session, at most so often. */
export function limitedAuthProcedure(rate: RateName) {
  return authProcedure.meta({ rate }).use(async ({ ctx, next }) => {
    await countCall(ctx, rate);
    return next();
  });
}

/** A procedure for members, by token or session. */
export const memberProcedure = t.procedure
  .meta({ access: "member" })
  .use(fromOwnPages)
  .use(identified)
  .use(({ ctx: { caller }, next }) => {
    if (caller.tier !== "member") throw loginRequired();
    return next({ ctx: { caller } });
  });

/** A procedure for members who are logged in: a token, however it got lost, never gets at the account. */
export const sessionProcedure = memberProcedure
  .meta({ access: "session" })
  .use(({ ctx: { caller }, next }) => {
    if (caller.via !== "session") throw sessionRequired();
    return next();
  });

/** A file tool: limited, admitted, and counted, all before the body is read. */
export const toolProcedure = limitedProcedure("tools").use(({ ctx, meta, next }) =>
  ctx.inSequence(async () => {
    const { services, caller } = ctx;
    const limit = LIMITS[caller.tier].concurrentCalls;
    const leave = services.startCall(callerKey(ctx), limit);
    if (!leave) throw tooManyAtOnce(caller, limit);
    try {
      ctx.reserveMemory(weighCall(ctx, { caller, weight: meta?.tool?.weight ?? 1 }));
      const result = await next();
      await countToolCall(ctx, { tool: meta?.tool?.name ?? "", succeeded: result.ok });
      return result;
    } finally {
      leave();
    }
  }),
);

/** Holds typed files to the caller's size; what streams in over REST is counted while it is read. */
export const checkedFileSizes = t.middleware(async ({ ctx, input, next }) => {
  const { tier } = await ctx.identify();
  const { file, files } = (input ?? {}) as { file?: unknown; files?: readonly { data: Uint8Array }[] };
  if (file instanceof Uint8Array) checkFileSize(file.length, tier);
  if (files)
    checkFileSizes(
      files.map(({ data }) => data.length),
      tier,
    );
  return next();
});

function endedSession({ responseHeaders: answer, services }: Context): ApiError {
  clearSessionCookie(answer, services);
  return new ApiError(
    "login_required",
    "The session of the cookie has ended; log in again, or call again without the cookie, which this answer clears",
  );
}

function loginRequired(): ApiError {
  return new ApiError("login_required", "This is for members; log in, or send `Bearer <API_TOKEN>`");
}

function sessionRequired(): ApiError {
  return new ApiError(
    "session_required",
    "An API token lists and revokes secrets and raises limits; for everything else of an account log in",
  );
}

function crossSite({ publicUrl }: Services): ApiError {
  const { origin } = new URL(publicUrl);
  return new ApiError("cross_site", `A page of another site may not call this; the pages of ${origin} may`);
}

function tooManyAtOnce(caller: Caller, limit: number): ApiError {
  return new ApiError("too_many_concurrent", `At most ${limit} tool calls at once; wait for one to end`, {
    limit: "concurrentCalls",
    value: limit,
    unit: "calls",
    window: 0,
    remaining: 0,
    retryAfter: 1,
    tier: caller.tier,
  });
}

// A body that does not say its length is taken for the largest that may come.
function weighCall(ctx: Context, of: { caller: Caller; weight: number }): number {
  return Math.min(ctx.declaredBytes ?? Infinity, LIMITS[of.caller.tier].totalSize) * of.weight;
}

async function countToolCall(ctx: Context, use: { tool: string; succeeded: boolean }): Promise<void> {
  if (!ctx.isCounted) return;
  const { db, now, onToolCall: noteToolCall } = ctx.services;
  noteToolCall(use);
  const hour = Math.floor(now() / 3600) * 3600;
  await countUse(db, { ...use, address: ctx.address.usage, hour });
}
