import type { Database } from "../../db/open.ts";
import {
  claimKey,
  findAnswer,
  releaseKey,
  keepAnswer,
  extendClaim,
  type KeyClaim,
} from "../../db/idempotency-keys.ts";
import { DAY_SECONDS } from "../../db/allowance.ts";
import type { TransactionSteps } from "../../db/stored-bytes.ts";
import { deriveAnswerSeal, digestIdempotencyKey, type CallFields } from "../../tools/crypto/answer-seal.ts";
import { randomBase62 } from "../../tools/crypto/base62.ts";
import { equalBytes } from "../../tools/crypto/equal-bytes.ts";
import { encodeBase64Url } from "../../wire/base64.ts";
import { isLate, withWaits } from "../../db/running-call.ts";
import type { CallerContext } from "../context.ts";
import { sessionOf } from "./identify.ts";
import { ApiError } from "../errors/errors.ts";
import { ARRIVING_SECONDS, MAX_IDEMPOTENCY_KEY_LENGTH, MIN_IDEMPOTENCY_KEY_LENGTH } from "../limits.ts";

const HEADER = "Idempotency-Key";
export const CLAIM_LENGTH = 16;

/**
 * Returns a function that stores an answer and its cookie within the transaction that stores what the answer is about.
 * Without a cookie, the cookies set so far are stored.
 */
export type AnswerKeeper = (answer: object, cookie?: string) => Promise<TransactionSteps["keep"]>;

/** The first call with a key, while it is running. */
export interface FirstCall {
  /** Stores the answer to these fields. */
  readonly keep: (answer: object, fields: CallFields, cookie?: string) => ReturnType<AnswerKeeper>;
  /** Extends the claim; after half a minute without it, the key is free. */
  readonly extend: () => Promise<void>;
}

/**
 * Repeats the answer to a call that the same caller sent with the same idempotency key in the last day, or else runs
 * it. A failing call leaves nothing behind. `readFields` is called only where there is an answer already, and reads a
 * body that is still arriving.
 * @throws ApiError invalid_parameter, idempotency_in_progress, idempotency_mismatch, login_required
 */
export async function answerOnce<Answer extends object>(
  of: {
    ctx: CallerContext;
    path: string;
    readFields: () => CallFields | Promise<CallFields>;
  } & RepeatOptions,
  run: (first: FirstCall | undefined) => Promise<Answer>,
): Promise<Answer> {
  const { ctx, path, by = "caller", isLogin = false, readFields } = of;
  const key = readKey(ctx);
  if (key === undefined) return run(undefined);
  const { db, now } = ctx.services;
  const caller = callerOf(ctx, by);
  const keyHash = digestIdempotencyKey(key, { caller, procedure: path });
  const claim = { keyHash, claim: randomBase62(CLAIM_LENGTH) };
  const derive = (fields: CallFields) => {
    const all = { ...fields, ...(ctx.idempotency.isRaw() && { raw: true }) };
    return deriveAnswerSeal(key, { caller, fields: all });
  };
  const isFirst = await claimKey(db, { ...claim, now: now(), sweepAt: now() + ARRIVING_SECONDS }).catch(
    (error: unknown) => {
      // The key may have been claimed although the answer was lost.
      releaseLater(db, claim);
      throw error;
    },
  );
  if (isFirst) return runFirst({ claim, ctx, derive }, run);
  const kept = await findAnswer(db, keyHash, now());
  if (!kept) throw inProgress();
  const { bodyHash, open } = derive(await readFields());
  if (!equalBytes(bodyHash, kept.bodyHash)) throw mismatch();
  // The encrypted value is the one that `run` returned for this same call.
  const { [COOKIES]: cookies = [], ...answer } = (await open(kept.sealed)) as Answer & {
    readonly [COOKIES]?: readonly string[];
  };
  for (const cookie of cookies) {
    if (await isCurrent(cookie, ctx)) ctx.responseHeaders.append(COOKIES, cookie);
    else if (isLogin)
      throw new ApiError(
        "login_required",
        `The session that began with this ${HEADER} has ended; log in with a new key`,
      );
  }
  // Without the cookies that were stored with it.
  return answer as unknown as Answer;
}

const COOKIES = "set-cookie";

// The value of a session that has ended, or has another value by now, would replace a good cookie of the browser.
async function isCurrent(setCookie: string, { services }: CallerContext): Promise<boolean> {
  const [cookie = ""] = setCookie.split(";", 1);
  const session = await sessionOf({ cookie, fetchSite: null, origin: null }, services);
  return session?.provedAt !== undefined;
}

/** To whom a key belongs: an account or address, or only the address where the call itself logs in or out. */
type KeyScope = "caller" | "address";

interface RepeatOptions {
  readonly by?: KeyScope;
  /** Whether the answer only says that somebody is logged in: it is not given again once that session has ended. */
  readonly isLogin?: boolean;
}

interface Call {
  readonly ctx: CallerContext;
  readonly path: string;
  readonly input: unknown;
}

/**
 * Makes a procedure repeatable under its idempotency key. Where `run` stores everything that its answer is about in one
 * transaction, it passes `keep` to that; otherwise the answer is stored afterwards.
 */
export function repeatable<Given extends Call, Answer extends object>(
  run: (call: Given & { readonly keep?: AnswerKeeper }) => Promise<Answer>,
  options: RepeatOptions = {},
): (call: Given) => Promise<Answer> {
  return (call) => {
    // Keyed, so that somebody who steals the database and guesses a weak key cannot guess passwords by the body's
    // digest.
    const input = encodeBase64Url(call.ctx.services.keys.call(JSON.stringify(call.input ?? {})));
    const fields = { input };
    return answerOnce(
      { ctx: call.ctx, path: call.path, ...options, readFields: () => fields },
      async (first) => {
        if (!first) return run(call);
        let isKept = false;
        const keep: AnswerKeeper = async (answer, cookie) => {
          const part = await first.keep(answer, fields, cookie);
          return async (trx) => {
            await part?.(trx);
            isKept = true;
          };
        };
        const answer = await run({ ...call, keep });
        if (isKept) return answer;
        const part = await keep(answer);
        // The call is done, whether or not the database answers once more: the caller is told.
        await call.ctx.services.db.writeSoon(async (trx) => part?.(trx)).catch(() => undefined);
        return answer;
      },
    );
  };
}

async function runFirst<Answer>(
  of: {
    claim: KeyClaim;
    ctx: CallerContext;
    derive: (fields: CallFields) => ReturnType<typeof deriveAnswerSeal>;
  },
  run: (first: FirstCall) => Promise<Answer>,
): Promise<Answer> {
  const { claim, ctx, derive } = of;
  const { db, now } = ctx.services;
  try {
    return await run({
      extend: () => extendClaim(db, { ...claim, sweepAt: now() + ARRIVING_SECONDS }),
      keep: async (answer, fields, cookie) => {
        const { bodyHash, seal } = derive(fields);
        const cookies = cookie === undefined ? ctx.responseHeaders.getSetCookie() : [cookie];
        const sealed = await seal(cookies.length === 0 ? answer : { ...answer, [COOKIES]: cookies });
        const row = { ...claim, bodyHash, sealed, sweepAt: now() + DAY_SECONDS };
        return async (trx) => {
          if (!(await keepAnswer(trx, row))) throw inProgress();
        };
      },
    });
  } catch (error) {
    // A call past its deadline is answered now; its key becomes free soon after.
    if (isLate()) releaseLater(db, claim);
    else await releaseKey(db, claim).catch(() => releaseLater(db, claim));
    throw error;
  }
}

const RELEASE_AGAIN_MS = 500;
const RELEASE_WITHIN_MS = 2_000;
/** After that the claim has expired by itself. */
const RELEASE_TRIES = (ARRIVING_SECONDS * 1000) / RELEASE_AGAIN_MS;

/** Releases the key of a failed call as soon as the database answers again, without delaying the call. */
function releaseLater(db: Database, claim: KeyClaim, left = RELEASE_TRIES): void {
  if (left <= 0) return;
  setTimeout(() => {
    // With its own deadline, because the call's may be over.
    withWaits(() => releaseKey(db, claim), RELEASE_WITHIN_MS).catch(() => releaseLater(db, claim, left - 1));
  }, RELEASE_AGAIN_MS);
}

function readKey({ idempotency }: CallerContext): string | undefined {
  const { key } = idempotency;
  if (key === null) return undefined;
  const [minimum, maximum] = [MIN_IDEMPOTENCY_KEY_LENGTH, MAX_IDEMPOTENCY_KEY_LENGTH];
  const isLegal = /^[\x21-\x7e]*$/.test(key) && key.length >= minimum && key.length <= maximum;
  if (isLegal && idempotency.isAlone()) return key;
  const error = isLegal
    ? `The header ${HEADER} stands for one call, and the batch has several; send the call alone`
    : `The header ${HEADER} must be ${minimum} to ${maximum} visible ASCII characters from a random source, such as a UUID`;
  throw new ApiError("invalid_parameter", error, {
    parameter: HEADER,
    in: "header",
    ...(!isLegal && { minimum, maximum, unit: "characters" }),
  });
}

// Young accounts of one address share budgets, but never answers.
function callerOf({ caller, address }: CallerContext, by: KeyScope): string {
  return by === "caller" && caller.tier === "member"
    ? `member ${caller.memberId}`
    : `address ${address.rate}`;
}

/** The first call with the key is still running. */
export function inProgress(): ApiError {
  const error = `Another call with this ${HEADER} is still running; send it again when that has ended`;
  return new ApiError("idempotency_in_progress", error, { retryAfter: 1 });
}

function mismatch(): ApiError {
  const error =
    `This ${HEADER} was sent with another body, query or passphrase before; ` +
    "send what was sent then, or take a new key";
  return new ApiError("idempotency_mismatch", error, { parameter: HEADER, in: "header" });
}
