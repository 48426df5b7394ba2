import { insertSecret } from "../../../db/secrets/secrets.ts";
import { LEAST_SECRET_BYTES } from "../../../db/stored-bytes.ts";
import { randomBase62 } from "../../../tools/crypto/base62.ts";
import { deriveAtRest, sealContent } from "../../../tools/crypto/secret-seal.ts";
import { digestText } from "../../../tools/crypto/key-derivation.ts";
import { isOffered } from "../../../wire/limits.ts";
import type { Caller, CallerContext } from "../../context.ts";
import { ApiError, tooLarge } from "../../errors/errors.ts";
import { requesterOf, claimStorage } from "../../policy/count.ts";
import type { AnswerKeeper } from "../../policy/once.ts";
import { REVOKE_TOKEN_LENGTH, SECRET_ID_LENGTH, SECRET_KEY_LENGTH } from "../../schemas.ts";
import { toTime } from "../../clock.ts";

// "s1." and base64url of iv, ciphertext and tag (docs/formats.md, 2): text that a page has encrypted.
const SEALED_TEXT = /^s1\.[\w-]+$/;
const SEAL_BYTES = 28;
const MAX_CHARACTER_BYTES = 4;

/**
 * Counts the characters (Unicode code points) of a content. For encrypted text the limit applies to the text inside,
 * whose characters its sender counts.
 * @throws ApiError content_too_large, invalid_text
 */
export function checkContent(
  content: string,
  {
    isEncrypted,
    caller: { tier },
    services: { limits },
  }: { isEncrypted: boolean } & Pick<CallerContext, "caller" | "services">,
): number {
  if (!content.isWellFormed()) throw malformedText("content");
  const length = countCharacters(content);
  const actual = isEncrypted && SEALED_TEXT.test(content) ? leastCharactersInside(content) : length;
  const value = limits[tier].secretCharacters;
  if (actual <= value) return length;
  const about = { what: "The content", limit: "secretLength", value, unit: "characters", actual, tier };
  throw tooLarge("content_too_large", { ...about, tokenValue: limits.member.secretCharacters });
}

// For well-formed text. An iterator would take a hundred times as long for half a million characters.
function countCharacters(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) count--;
  return count;
}

function leastCharactersInside(sealed: string): number {
  const bytes = Math.floor(((sealed.length - "s1.".length) * 3) / 4) - SEAL_BYTES;
  return Math.ceil(bytes / MAX_CHARACTER_BYTES);
}

export function malformedText(parameter: string): ApiError {
  const error = `Parameter "${parameter}" is not valid Unicode: it has a lone surrogate`;
  return new ApiError("invalid_text", error, { parameter });
}

/**
 * The lifetime in seconds; the instance's default where the caller names none. A lifetime that is not allowed is
 * refused, never shortened.
 * @throws ApiError invalid_parameter
 */
export function lifetimeOf(
  expires: number | undefined,
  { caller: { tier }, services: { limits } }: Pick<CallerContext, "caller" | "services">,
): number {
  if (expires === undefined) return limits.defaultSeconds;
  const { lifetimes } = limits[tier];
  if (isOffered(expires, lifetimes)) return expires;
  const { minimum, maximum, offered } = lifetimes;
  const legal = offered ? `one of ${offered.join(", ")}` : `from ${minimum} to ${maximum}`;
  const error = `Parameter "expires" must be ${legal} seconds; received ${expires}`;
  const about = { parameter: "expires", received: expires, tier };
  const values = offered ? { allowed: offered } : { minimum, maximum };
  throw new ApiError("invalid_parameter", error, { ...about, ...values });
}

/** Refuses a secret without a passphrase where this instance requires one. @throws ApiError missing_parameter */
export function checkPassphrase(
  passphrase: string | undefined,
  { services }: Pick<CallerContext, "services">,
): void {
  if (services.passphrase === "optional" || passphrase) return;
  const error = 'Parameter "passphrase" is missing: this server takes no secret without one';
  throw new ApiError("missing_parameter", error, { parameter: "passphrase" });
}

/** Only members have a list that shows it. @throws ApiError invalid_parameter */
export function checkLabel(label: string | undefined, { tier }: Caller): void {
  if (label === undefined || tier === "member") return;
  const error = 'Parameter "label" is for members: nobody else has a list that shows it';
  throw new ApiError("invalid_parameter", error, { parameter: "label" });
}

interface SecretInput {
  content: string;
  expires: number;
  isEncrypted: boolean;
  passphrase?: string | undefined;
  label?: string | undefined;
  /** Whether the owner's hooks are told of it. */
  notify: boolean;
  /** The length of the content in characters. */
  length: number;
  /** Aborts when the caller has left. */
  signal?: AbortSignal | undefined;
  /** Stores the answer of a repeatable call. */
  keep?: AnswerKeeper | undefined;
}

/** Encrypts a content with a new key and stores it. Key and revoke token exist only in the return value. */
export async function storeSecret(input: SecretInput, ctx: CallerContext) {
  const { services, caller } = ctx;
  const { content, isEncrypted, passphrase, label, notify, length, signal, keep } = input;
  checkLabel(label, caller);
  if (passphrase && !passphrase.isWellFormed()) throw malformedText("passphrase");
  const created = services.now();
  const expiry = created + input.expires;
  const { newId, newKey, token } = drawHandles();
  const keys = await deriveAtRest(newKey, {
    id: newId,
    passphrase: passphrase || undefined,
    limiter: (work) => services.lanes.passwords.run(requesterOf(ctx, signal), work),
  });
  const sealed = await sealContent(content, {
    storageKey: keys.storageKey,
    id: newId,
    isEncrypted,
    expirySeconds: expiry,
  });
  const { verifier, passVerifier } = keys;
  const answer = {
    id: newId,
    url: `${services.publicUrl}/s/${newId}#${newKey}`,
    key: newKey,
    expiry: toTime(expiry),
    status: "active" as const,
    isEncrypted,
    hasPassphrase: passVerifier !== null,
    length,
    revokeToken: token,
  };
  const keepAnswer = await keep?.(answer);
  if (!(await services.claimRoom(sealed.length, caller.tier))) throw storageFull();
  const claim = await claimStorage(ctx, Math.max(sealed.length, LEAST_SECRET_BYTES));
  const row = {
    id: newId,
    verifier,
    passVerifier,
    sealed,
    createdAt: created,
    expiresAt: expiry,
    isEncrypted,
    owner: caller.tier === "member" ? caller.memberId : null,
    label,
    isQuiet: !notify,
  };
  const hashed = { ...row, revokeHash: digestText(token) };
  const inserted = await insertSecret(services.db, hashed, { claim, keep: keepAnswer });
  // An id has 95 random bits; should one ever be taken, the caller can just try again.
  if (!inserted) throw new ApiError("overloaded", "Nothing was kept; send it again", { retryAfter: 1 });
  return answer;
}

// One draw of random bytes is cheaper than three.
function drawHandles() {
  const digits = randomBase62(SECRET_ID_LENGTH + SECRET_KEY_LENGTH + REVOKE_TOKEN_LENGTH);
  const keyEnd = SECRET_ID_LENGTH + SECRET_KEY_LENGTH;
  return {
    newId: digits.slice(0, SECRET_ID_LENGTH),
    newKey: digits.slice(SECRET_ID_LENGTH, keyEnd),
    token: digits.slice(keyEnd),
  };
}

/** The room for all stored contents together is used up. */
export function storageFull(): ApiError {
  const error = "The server cannot store more secrets now; nothing was kept, try again later";
  return new ApiError("storage_full", error, { retryAfter: 60 });
}
