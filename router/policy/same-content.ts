import { DAY_SECONDS } from "../../db/allowance.ts";
import { findAnswer, keepFirstAnswer } from "../../db/idempotency-keys.ts";
import type { StoredWith } from "../../db/stored-bytes.ts";
import { deriveAnswerSeal, digestIdempotencyKey, type CallFields } from "../../tools/crypto/answer-seal.ts";
import { randomBase62 } from "../../tools/crypto/base62.ts";
import { equalBytes } from "../../tools/crypto/equal-bytes.ts";
import { digestText } from "../../tools/crypto/key-derivation.ts";
import { encodeBase64Url } from "../../wire/base64.ts";
import type { Services } from "../context.ts";
import { CLAIM_LENGTH, inProgress } from "./once.ts";

/** The first answer to a content that is as good as an idempotency key, as one is that was just sealed. */
export interface SameContent<Answer> {
  /** What was answered when the same content came in the last day; undefined for another one. */
  readonly find: () => Promise<Answer | undefined>;
  /** What keeps the answer, as a part of the transaction that stores what it is about. */
  readonly keep: (answer: Answer) => Promise<StoredWith["keep"]>;
}

/**
 * Knows a call by the content that it sends: what was sent twice with the same one is one call, wherever it comes from.
 * `of` names what it is about, and `fields` what else was sent.
 */
export function sameContent<Answer extends object>(
  content: string,
  { path, of, fields }: { path: string; of: string; fields: CallFields },
  { db, now }: Pick<Services, "db" | "now">,
): SameContent<Answer> {
  const key = encodeBase64Url(digestText(content));
  const keyHash = digestIdempotencyKey(key, { caller: of, procedure: path });
  const { bodyHash, seal, open } = deriveAnswerSeal(key, { caller: of, fields });
  return {
    async find() {
      const kept = await findAnswer(db, { keyHash, now: now() });
      if (!kept || !equalBytes(kept.bodyHash, bodyHash)) return undefined;
      // What was sealed is what was answered to this very call.
      return (await open(kept.sealed)) as Answer;
    },
    async keep(answer) {
      const claim = { keyHash, claim: randomBase62(CLAIM_LENGTH), now: now(), sweepAt: now() + DAY_SECONDS };
      const row = { ...claim, bodyHash, sealed: await seal(answer) };
      return async (trx) => {
        if (!(await keepFirstAnswer(trx, row))) throw inProgress();
      };
    },
  };
}
