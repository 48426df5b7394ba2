import { z } from "zod";
import { MAX_ANSWERS } from "../../../wire/limits.ts";
import type { CallerContext } from "../../context.ts";
import { tooLarge, wrongParameter } from "../../errors/errors.ts";
import { MAX_NOTE_LENGTH } from "../../limits.ts";
import { secretMeta } from "../../meta.ts";
import { answerOnce } from "../../policy/once.ts";
import {
  expires,
  label,
  notify,
  requestId as id,
  requestStatus as status,
  secretText,
  time,
} from "../../schemas.ts";
import { limitedProcedure, router } from "../../trpc.ts";
import { EXAMPLE } from "../examples.ts";
import { checkLabel, lifetimeOf } from "../secrets/create-secret.ts";
import { ticket } from "../secrets/ticket.ts";
import { endRequest, receiveAnswer, stopAnswers, storeAnswer, takeAnswer } from "./answer-request.ts";
import { storeRequest } from "./create-request.ts";
import { findByCollectToken, findByGate, GATE, cancelledRequest, requestInfo } from "./find-request.ts";
import { ownRequests } from "./own-requests.ts";
import { collectToken, gate, statusOfRequests } from "./request-status.ts";

// "r1." and base64url of encapsulated key, ciphertext and tag; inside are a length, the text, and zeros to the next
// multiple of 256 (docs/formats.md, 5).
const SEALED_ANSWER = /^r1\.[\w-]+$/;

const SEAL_BYTES = 32 + 16;
const LENGTH_BYTES = 4;
const PADDING_BYTES = 256;
const MAX_CHARACTER_BYTES = 4;

const create = limitedProcedure("secretCreates")
  .meta(
    secretMeta("POST", "/api/requests", {
      summary: "Ask for a secret",
      description:
        "Anyone with the link can answer: only the first one, or as many as `answers` says. Only the asker can read the " +
        "answers, which are sealed for a key that the server never sees. The page adds that key to the link.",
      body: "fields",
      status: 201,
      retry: "key",
      examples: { "Result.url": EXAMPLE.requestLink },
    }),
  )
  .input(
    z.strictObject({
      gate: gate.regex(GATE, "must be 43 characters of base64url"),
      expires,
      note: secretText("What is asked for, sealed as docs/formats.md says; it begins with n1.")
        .regex(/^n1\.[0-9A-Za-z_-]+$/, 'must be sealed: "n1." and base64url')
        .max(MAX_NOTE_LENGTH)
        .optional(),
      answers: z.int().min(1).max(MAX_ANSWERS).default(1).describe("How many answers it takes"),
      label,
      notify,
    }),
  )
  .output(
    z.object({
      id: z.string().describe("A handle, not a secret"),
      url: z.string().describe("The link to give away, to which the page adds # and the public key"),
      expiry: time,
      status,
      collectToken: z.string().describe("Shown once; reads the status, collects the answer, and cancels"),
    }),
  )
  .mutation(async ({ input, ctx, path }) => {
    const request = await answerOnce({ ctx, path, readFields: () => input }, (first) => {
      const seconds = lifetimeOf(input.expires, ctx);
      checkLabel(input.label, ctx.caller);
      const keep = first && ((answer: object) => first.keep(answer, input));
      return storeRequest({ ...input, expires: seconds, keep }, ctx);
    });
    ctx.responseHeaders.set("location", `${ctx.services.basePath}/api/requests/${request.id}`);
    return request;
  });

const answer = limitedProcedure("secretReads")
  .meta(
    secretMeta("POST", "/api/requests/{id}/answer", {
      retry: "idempotent",
      summary: "Answer a request",
      description:
        "Stores an answer that is sealed for the asker. The first answer is the only one, unless the request takes " +
        "several. Sending the same again gives the same answer for a day.",
      body: "fields",
      takesContent: true,
      errors: [404, 410],
      examples: { "Input.content": EXAMPLE.sealedAnswer, "Result.status": "answered" },
    }),
  )
  .input(
    z.strictObject({
      id,
      gate,
      content: secretText("The answer, sealed as docs/formats.md says; it begins with r1."),
    }),
  )
  .output(requestInfo)
  .mutation(async ({ input, ctx, path }) => {
    const request = await findByGate(input, ctx.services);
    checkSealedAnswer(input.content, ctx);
    return storeAnswer(request, { ...input, path }, ctx);
  });

const collect = limitedProcedure("secretReads")
  .meta(
    secretMeta("POST", "/api/requests/{id}/collect", {
      retry: "ticket",
      summary: "Collect an answer, once",
      description:
        "Returns the sealed answer and deletes it; of several the oldest, and how many are left. With a ticket of your own " +
        "it is kept for that ticket alone: the same call is answered again for ten minutes, until you say that you have " +
        "received it. A ticket is for one answer.",
      body: "fields",
      errors: [404, 409, 410],
      examples: { "Result.content": EXAMPLE.sealedAnswer },
    }),
  )
  .input(z.strictObject({ id, collectToken, ticket: ticket.optional() }))
  .output(
    z.object({
      content: z.string().describe("The sealed answer, as it was sent"),
      left: z.int().describe("How many more answers wait to be collected"),
    }),
  )
  .mutation(async ({ input, ctx, signal }) => {
    const request = await findByCollectToken(input, ctx.services);
    return takeAnswer(request, { services: ctx.services, ticket: input.ticket, signal });
  });

const received = limitedProcedure("secretReads")
  .meta(
    secretMeta("POST", "/api/requests/{id}/received", {
      retry: "idempotent",
      summary: "Say that you have received an answer",
      description:
        "Ends a delivery at once: what was kept for its ticket is deleted. Saying it again gives the same answer.",
      body: "fields",
      errors: [404, 409, 410],
    }),
  )
  .input(z.strictObject({ id, collectToken, ticket }))
  .output(z.object({ id: z.string(), status: z.literal("collected") }))
  .mutation(async ({ input, ctx: { services } }) =>
    receiveAnswer(await findByCollectToken(input, services), { ticket: input.ticket, services }),
  );

const close = limitedProcedure("secretReads")
  .meta(
    secretMeta("POST", "/api/requests/{id}/close", {
      retry: "idempotent",
      summary: "Take no more answers",
      description:
        "Those that are there can still be collected; without any, the request is cancelled. A request that takes no more is answered as it is.",
      body: "fields",
      errors: [404],
      examples: {
        "Result.status": "answered",
        "Result.closed": EXAMPLE.time,
        "Result.answers": 20,
        "Result.answered": 3,
        "Result.collected": 1,
      },
    }),
  )
  .input(z.strictObject({ id, collectToken }))
  .output(requestInfo)
  .mutation(async ({ input, ctx: { services } }) =>
    stopAnswers(await findByCollectToken(input, services), services),
  );

const cancel = limitedProcedure("secretReads")
  .meta(
    secretMeta("POST", "/api/requests/{id}/cancel", {
      retry: "idempotent",
      summary: "Cancel a request",
      description:
        "Ends it, and deletes an answer that nobody has collected. Cancelling again gives the same answer.",
      body: "fields",
      errors: [404, 410],
      examples: { "Result.status": "cancelled", "Result.closed": EXAMPLE.time },
    }),
  )
  .input(z.strictObject({ id, collectToken }))
  .output(cancelledRequest)
  .mutation(async ({ input, ctx: { services } }) =>
    endRequest(await findByCollectToken(input, services), services),
  );

export const requests = router({
  create,
  ...statusOfRequests,
  answer,
  collect,
  received,
  close,
  cancel,
  ...ownRequests,
});

/**
 * Checks the form of an answer; only its reader can tell whether it is really encrypted. The limit applies to the text
 * inside, which may have four bytes per character, so that no text of legal length is refused for its encryption.
 * @throws ApiError invalid_parameter, content_too_large
 */
function checkSealedAnswer(content: string, { caller: { tier }, services: { limits } }: CallerContext): void {
  if (!SEALED_ANSWER.test(content))
    throw wrongParameter("invalid_parameter", "content", 'must be sealed for the asker: "r1." and base64url');
  const padded = Math.floor(((content.length - "r1.".length) * 3) / 4) - SEAL_BYTES;
  const value = limits[tier].secretCharacters;
  if (padded <= roundUp(LENGTH_BYTES + value * MAX_CHARACTER_BYTES)) return;
  const about = { what: "The sealed answer", limit: "secretLength", value, unit: "characters", tier };
  throw tooLarge("content_too_large", { ...about, tokenValue: limits.member.secretCharacters });
}

function roundUp(bytes: number): number {
  return Math.ceil(bytes / PADDING_BYTES) * PADDING_BYTES;
}
