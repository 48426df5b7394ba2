import { joinBytes, utf8 } from "../../../wire/bytes.ts";
import { sendParts, type AnswerPart, type AnswerParts } from "./stream.ts";
import { FastResponse } from "srvx";
import type { RequestContext, RpcEndpoint } from "../adapter.ts";

/** Up to this size an answer is handed over at once. */
const SMALL_BYTES = 64 * 1024;

export interface Answer {
  readonly context: RequestContext;
  readonly status: number;
  readonly headers: Headers;
  /** The length of all parts, where they are still to be made. */
  readonly length?: number;
}

/** An answer made of these parts, with their length. The request keeps what it holds until the last part has left. */
export function answerParts(
  parts: readonly AnswerPart[] | Iterable<Uint8Array>,
  { context, status, headers, length = lengthOf(parts) }: Answer,
): Response {
  if (length !== undefined) headers.set("Content-Length", String(length));
  const whole =
    length !== undefined && length <= SMALL_BYTES
      ? [...parts].filter((part) => part instanceof Uint8Array)
      : [];
  if (length !== undefined && lengthOf(whole) === length)
    return new FastResponse(joinBytes(whole), { status, headers });
  return answerStream(parts, { context, status, headers });
}

/** An answer whose parts become known one after the other. */
export function answerStream(
  parts: AnswerParts,
  { context, status, headers }: Answer,
  init?: ResponseInit,
): Response {
  const response = context.request.runtime?.node?.res;
  const { stream, sent } = sendParts(parts, { hasLeft: () => response?.writableLength === 0 });
  context.answer.sent = sent;
  return new FastResponse(stream, { ...init, status, headers });
}

/** An answer made of a text. Node writes a short text together with the head, but short bytes as a second piece. */
export function answerText(text: string, { context, status, headers }: Answer): Response {
  const isAscii = !/[\u0080-\uffff]/.test(text);
  const bytes = isAscii && text.length <= SMALL_BYTES ? undefined : utf8(text);
  const length = bytes?.length ?? text.length;
  if (bytes && length > SMALL_BYTES) return answerParts([bytes], { context, status, headers });
  headers.set("Content-Length", String(length));
  return new FastResponse(text, { status, headers });
}

/**
 * Whether answers with this status have no body (RFC 9110, 15.3.5, 15.3.6 and 15.4.5); no runtime makes one with a
 * body.
 */
export function hasNoBody(status: number): boolean {
  return [204, 205, 304].includes(status);
}

export function answerNothing({ status, headers }: Answer): Response {
  headers.delete("Content-Type");
  return new FastResponse(null, { status, headers });
}

/** The length of all parts; undefined where a stream does not know its own. */
export function lengthOf(parts: Iterable<AnswerPart>): number | undefined {
  let length = 0;
  for (const part of parts) {
    if (part.length === undefined) return undefined;
    length += part.length;
  }
  return length;
}

/**
 * Answers HEAD for procedures that GET calls: checks who may call them, without running them. `headers` are those of
 * the result, and `read` reads what may be ignored of the call.
 */
export async function answerHead(
  context: RequestContext,
  called: readonly RpcEndpoint[],
  about: { headers: readonly [name: string, value: string][]; read?: () => Promise<unknown> },
): Promise<Response> {
  await context.prepare?.();
  await context.adapter.checkHead?.(called, context);
  await about.read?.();
  const headers = new Headers(context.responseHeaders);
  for (const [name, value] of about.headers) headers.set(name, value);
  context.adapter.addWarnings(headers, context);
  return new FastResponse(null, { headers });
}

/**
 * Adds the length that GET's answer has to one to HEAD (RFC 9110, 8.6), which runtimes only do for a body. What is made
 * while it is sent has none.
 */
export async function withLength(response: Response, { request, answer }: RequestContext): Promise<Response> {
  if (request.method !== "HEAD") return response;
  const { status, headers } = response;
  const isKnown = headers.has("Content-Length") || answer.sent !== undefined || hasNoBody(status);
  if (isKnown || response.body === null) return response;
  headers.set("Content-Length", String((await response.arrayBuffer()).byteLength));
  return new FastResponse(null, { status, headers });
}

/**
 * The Content-Disposition of a download: RFC 6266, with RFC 8187's `filename*` only where ASCII cannot express the
 * name. For any name, the value is one line of printable ASCII without a folder.
 */
export function contentDisposition(name: string): string {
  const safe = defuse(name);
  if (safe === "") return "attachment";
  const ascii = foldToAscii(safe);
  const plain = `attachment; filename="${ascii}"`;
  return ascii === safe ? plain : `${plain}; filename*=UTF-8''${encodeExtended(safe)}`;
}

// Names arrive cleaned; this is for one that does not. Browsers decode what is encoded, so line ends, slashes, quotes
// and overrides must not be in `filename*` either.
function defuse(name: string): string {
  return name.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}"/\\]/gu, "_");
}

const LETTERS_WITHOUT_DECOMPOSITION: Readonly<Record<string, string>> = {
  ß: "ss",
  ẞ: "SS",
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ø: "o",
  Ø: "O",
  ł: "l",
  Ł: "L",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  þ: "th",
  Þ: "Th",
  ı: "i",
  "–": "-",
  "—": "-",
  "’": "'",
};

// NFD and never NFKD, which turns the fullwidth slash and quotation mark into real ones.
function foldToAscii(name: string): string {
  return (
    name
      .normalize("NFD")
      .replace(/\p{M}/gu, "")
      .normalize("NFC") // else one Hangul syllable would become three characters
      .replace(/[^\x20-\x7e]/gu, (letter) => LETTERS_WITHOUT_DECOMPOSITION[letter] ?? "_")
      // RFC 6266 appendix D: some browsers decode an escape in `filename`, some do not.
      .replace(/%(?=[0-9a-f]{2})/gi, "_")
  );
}

// RFC 8187's attr-char is smaller than what encodeURIComponent leaves alone.
function encodeExtended(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
