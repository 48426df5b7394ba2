import { fileTooLarge, tooLarge } from "../../router/errors/errors.ts";
import type { Limits, Tier, TierLimits } from "../../router/limits.ts";
import type { ServiceHttpMeta } from "../../router/meta.ts";
import type { ReadOptions } from "../trpc/body/request-body.ts";
import type { ServiceEndpoint } from "./endpoints.ts";

/** What a body may contain besides files, texts and contents: parameters, and their encoding. */
const FIELDS_BYTES = 64 * 1024;

// Growth of a file in base64, and of a text whose line ends are escaped.
const BASE64_FACTOR = 1.4;
const TEXT_FACTOR = 1.5;
// Encryption before sending adds 16 bytes to each 64 KiB (docs/formats.md, 4).
const SEAL_FACTOR = 1.001;
const BYTES_PER_CHARACTER = 12;

type Payload = (limits: TierLimits, fileFactor: number) => number;

/** The bytes of a procedure's main input; a missing kind does not compile. */
const PAYLOADS: Record<ServiceHttpMeta["body"] | "texts", Payload> = {
  none: () => 0,
  fields: () => 0,
  json: () => 0,
  texts: ({ totalSize }) => totalSize * TEXT_FACTOR,
  content: ({ secretCharacters }) => secretCharacters * BYTES_PER_CHARACTER,
  file: ({ fileSize }, fileFactor) => fileSize * fileFactor,
  stream: ({ fileSize }, fileFactor) => fileSize * fileFactor,
  upload: ({ secretFileSize }, fileFactor) => secretFileSize * SEAL_FACTOR * fileFactor,
  download: () => 0,
  files: ({ totalSize }, fileFactor) => totalSize * fileFactor,
};

function payloadOf({ http }: ServiceEndpoint): Payload {
  if (http.takesContent) return PAYLOADS.content;
  return PAYLOADS[http.largeTexts ? "texts" : http.body];
}

/**
 * How large the body of these calls may be: as large as each of them needs, but a batch never more than the largest
 * single call. Files travel as base64 in JSON, or unchanged in a frame.
 */
export function bodyLimit(
  calls: readonly ServiceEndpoint[],
  { tier, limits, encoding }: { tier: Tier; limits: Limits; encoding: "json" | "frame" },
): ReadOptions {
  const factor = encoding === "frame" ? 1 : BASE64_FACTOR;
  const payload = calls.reduce((sum, call) => sum + payloadOf(call)(limits[tier], factor), 0);
  const kinds = [PAYLOADS.texts, PAYLOADS.files, PAYLOADS.upload, PAYLOADS.content];
  const most = Math.max(...kinds.map((of) => of(limits[tier], factor)));
  const limit = Math.ceil(Math.min(payload, most)) + FIELDS_BYTES * Math.max(1, calls.length);
  return { limit, tooLarge: (actual) => bodyTooLarge(calls, { tier, limits, actual, limit }) };
}

/** How large a single file may be. */
function fileLimit({ http }: ServiceEndpoint, tier: Tier, limits: Limits): ReadOptions {
  const name = http.body === "upload" ? "secretFileSize" : "fileSize";
  const content = limits[tier][name];
  const limit = http.containerSize?.(content) ?? content;
  return { limit, tooLarge: (actual?: number) => fileTooLarge(limits, { tier, actual, name }) };
}

/** An endpoint with this server's limits. */
export interface ServedEndpoint extends ServiceEndpoint {
  /** For a body with one call. */
  readonly bodyLimits: Readonly<Record<"json" | "frame", LimitByTier>>;
  readonly fileLimits: LimitByTier;
}
type LimitByTier = Readonly<Record<Tier, ReadOptions>>;

/** Computes at the start what each call may send. */
export function withLimits(endpoint: ServiceEndpoint, limits: Limits): ServedEndpoint {
  const byTier = (limit: (tier: Tier) => ReadOptions) => ({
    anonymous: limit("anonymous"),
    member: limit("member"),
  });
  const bodies = (encoding: "json" | "frame") =>
    byTier((tier) => bodyLimit([endpoint], { tier, limits, encoding }));
  return {
    ...endpoint,
    bodyLimits: { json: bodies("json"), frame: bodies("frame") },
    fileLimits: byTier((tier) => fileLimit(endpoint, tier, limits)),
  };
}

// Names the limit that the caller knows: that of a file, a content or all files, not of their encoding.
function bodyTooLarge(
  calls: readonly ServiceEndpoint[],
  { tier, limits, actual, limit }: { tier: Tier; limits: Limits; actual: number | undefined; limit: number },
): Error {
  const [only] = calls.length === 1 ? calls : [];
  const { body } = only?.http ?? {};
  if (body === "file" || body === "stream") return fileTooLarge(limits, { tier });
  if (body === "upload") return fileTooLarge(limits, { tier, name: "secretFileSize" });
  if (only && payloadOf(only) === PAYLOADS.content) {
    const value = limits[tier].secretCharacters;
    const content = { what: "The content", limit: "secretLength", value, unit: "characters", tier };
    return tooLarge("content_too_large", { ...content, tokenValue: limits.member.secretCharacters });
  }
  const about = { what: "The body", unit: "bytes", tier };
  const isTotal = calls.some((call) => [PAYLOADS.texts, PAYLOADS.files].includes(payloadOf(call)));
  if (!isTotal) return tooLarge("total_too_large", { ...about, limit: "bodySize", value: limit, actual });
  const value = limits[tier].totalSize;
  const tokenValue = limits.member.totalSize;
  return tooLarge("total_too_large", { ...about, limit: "totalSize", value, tokenValue });
}
