import type { CallerContext } from "../../context.ts";
import { ApiError, tooLarge } from "../../errors/errors.ts";

// "r1." and base64url of encapsulated key, ciphertext and tag; inside are a length, the text, and zeros to the next
// multiple of 256 (docs/formats.md, 5).
const SEALED_ANSWER = /^r1\.[\w-]+$/;
const SEAL_BYTES = 32 + 16;
const LENGTH_BYTES = 4;
const PADDING_BYTES = 256;
const MAX_CHARACTER_BYTES = 4;

/**
 * Checks the form of an answer; whether it really is sealed, only its reader can tell. The limit holds for the text
 * inside, each of whose characters may have four bytes: no text of legal length is refused for its seal.
 * @throws ApiError invalid_parameter, content_too_large
 */
export function checkSealedAnswer(
  content: string,
  { caller: { tier }, services: { limits } }: CallerContext,
): void {
  if (!SEALED_ANSWER.test(content)) throw notSealed();
  const padded = Math.floor(((content.length - "r1.".length) * 3) / 4) - SEAL_BYTES;
  const value = limits[tier].secretCharacters;
  if (padded <= roundUp(LENGTH_BYTES + value * MAX_CHARACTER_BYTES)) return;
  const about = { what: "The sealed answer", limit: "secretLength", value, unit: "characters", tier };
  throw tooLarge("content_too_large", { ...about, tokenValue: limits.member.secretCharacters });
}

function roundUp(bytes: number): number {
  return Math.ceil(bytes / PADDING_BYTES) * PADDING_BYTES;
}

function notSealed(): ApiError {
  const error = 'Parameter "content" must be sealed for who asked: "r1." and base64url';
  return new ApiError("invalid_parameter", error, { parameter: "content", in: "body" });
}
