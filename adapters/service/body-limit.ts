import { fileTooLarge, tooLarge } from "../../router/errors/errors.ts";
import { LIMITS, type Tier } from "../../router/limits.ts";
import type { ServiceHttpMeta } from "../../router/meta.ts";
import type { ReadOptions } from "../trpc/body/request-body.ts";
import type { ServiceEndpoint } from "./endpoints.ts";

/** What a body may hold beside files, texts and contents: parameters, and whatever encloses them. */
const FIELDS_BYTES = 64 * 1024;

/** What a seal adds to a file that was sealed before it was sent is less than this (docs/formats.md, 6). */
const SEAL_BYTES = 64 * 1024;

// Of a file in base64, and of a text whose line ends are escaped.
const BASE64_FACTOR = 1.4;
const TEXT_FACTOR = 1.5;
const BYTES_PER_CHARACTER = 12;

type Payload = (tier: Tier, fileFactor: number) => number;

/** The bytes of what a procedure is for; a kind that is missing here does not compile. */
const PAYLOADS: Record<ServiceHttpMeta["body"] | "texts", Payload> = {
  none: () => 0,
  fields: () => 0,
  json: () => 0,
  texts: (tier) => LIMITS[tier].totalSize * TEXT_FACTOR,
  content: (tier) => LIMITS[tier].secretCharacters * BYTES_PER_CHARACTER,
  file: (tier, fileFactor) => LIMITS[tier].fileSize * fileFactor,
  stream: (tier, fileFactor) => LIMITS[tier].fileSize * fileFactor,
  // One that was sealed before it was sent is a little longer; FIELDS_BYTES are more than that.
  upload: (tier, fileFactor) => LIMITS[tier].fileSize * fileFactor,
  download: () => 0,
  files: (tier, fileFactor) => LIMITS[tier].totalSize * fileFactor,
};

function payloadOf({ http }: ServiceEndpoint): Payload {
  if (http.takesContent) return PAYLOADS.content;
  return PAYLOADS[http.largeTexts ? "texts" : http.body];
}

/**
 * How large the body of these calls may be: as large as each of them needs, but a batch never more than the largest
 * call that there is. Files travel as base64 in JSON, or as they are in a frame.
 */
export function bodyLimit(
  calls: readonly ServiceEndpoint[],
  { tier, encoding }: { tier: Tier; encoding: "json" | "frame" },
): ReadOptions {
  const factor = encoding === "frame" ? 1 : BASE64_FACTOR;
  const payload = calls.reduce((sum, call) => sum + payloadOf(call)(tier, factor), 0);
  const most = Math.max(PAYLOADS.texts(tier, factor), PAYLOADS.files(tier, factor));
  const limit = Math.ceil(Math.min(payload, most)) + FIELDS_BYTES * Math.max(1, calls.length);
  return { limit, tooLarge: (actual) => bodyTooLarge(calls, { tier, actual, limit }) };
}

/** How large a file by itself may be. */
export function fileLimit({ http }: ServiceEndpoint, tier: Tier): ReadOptions {
  const { fileSize } = LIMITS[tier];
  const limit = http.body === "upload" ? fileSize + SEAL_BYTES : (http.containerSize?.(fileSize) ?? fileSize);
  return { limit, tooLarge: (actual?: number) => fileTooLarge(tier, actual) };
}

// The limit is named that the caller knows: that of a file or of all files, not what their encoding makes of it.
function bodyTooLarge(
  calls: readonly ServiceEndpoint[],
  { tier, actual, limit }: { tier: Tier; actual: number | undefined; limit: number },
): Error {
  const [only] = calls.length === 1 ? calls : [];
  if (only?.http.body === "file" || only?.http.body === "stream" || only?.http.body === "upload")
    return fileTooLarge(tier);
  if (only?.http.body === "content") return contentTooLarge(tier);
  if (calls.every((call) => payloadOf(call)(tier, 1) === 0)) {
    const about = { what: "The body", limit: "bodySize", value: limit, unit: "bytes", tier };
    return tooLarge("total_too_large", { ...about, actual });
  }
  const value = LIMITS[tier].totalSize;
  const about = { what: "The body", limit: "totalSize", value, unit: "bytes", tier };
  return tooLarge("total_too_large", { ...about, tokenValue: LIMITS.member.totalSize });
}

function contentTooLarge(tier: Tier): Error {
  const value = LIMITS[tier].secretCharacters;
  const about = { what: "The content", limit: "secretLength", value, unit: "characters", tier };
  return tooLarge("content_too_large", { ...about, tokenValue: LIMITS.member.secretCharacters });
}
