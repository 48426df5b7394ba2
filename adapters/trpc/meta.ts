import { z } from "zod";
import { ByteStream } from "../../wire/byte-pieces.ts";
import type { Bytes } from "../../wire/bytes.ts";

/** How REST reads a procedure's call and writes its answer; RPC needs none of it. */
export interface HttpMeta {
  /** The name of a kind of body (rest/body-kinds/), or of one that the adapter was given. */
  readonly body: string;
  /** json, or the name of a writer that the adapter was given. */
  readonly result: string;
  /** The status of a success, where it is not 200. */
  readonly status?: number;
  /** The media type of a file result, where the file itself names none. */
  readonly type?: string;
  /**
   * The field of the result that `raw=true` or `Accept: text/plain` returns as bare text; `/raw` after the path always
   * does.
   */
  readonly text?: { readonly field: string; readonly by: "raw" | "accept" };
  /** More paths to the same procedure. */
  readonly aliases?: readonly string[];
  readonly alsoGet?: true;
  /** Its answer has an ETag, set by the procedure: callers who have it get 304, and HEAD runs it too. */
  readonly hasTag?: true;
  /**
   * Whether JSON and text are compressed for callers who accept that. Only for answers without anything confidential:
   * together with what a caller sent, their length would reveal it (BREACH).
   */
  readonly compressed?: true;
  /**
   * It sets headers of the answer, such as cookies: over RPC, a batch with it is answered when all of its calls are
   * done.
   */
  readonly setsHeaders?: true;
  /** Whether one text in a query or form is a list of the parts between its commas, where the schema wants a list. */
  readonly lists?: "comma";
  /** Whether an integer in a query or form must be digits, nine at most; otherwise any whole JSON number. */
  readonly integers?: "digits";
  /** How an empty text in a query or form is read: by default as an empty text, and an empty flag then is true. */
  readonly emptyTexts?: "absent";
  /** Unknown names are ignored with a warning, even where the schema would refuse them. */
  readonly unknown?: "warn";
  /** JSON texts that may be very long; they arrive as undecoded `Utf8Text`. */
  readonly largeTexts?: readonly string[];
}

/** All that `meta.http` may say, and the words for what has some. */
const HTTP: Readonly<Record<keyof HttpMeta, readonly unknown[] | undefined>> = {
  body: undefined,
  result: undefined,
  status: undefined,
  type: undefined,
  text: undefined,
  aliases: undefined,
  alsoGet: [true],
  hasTag: [true],
  compressed: [true],
  setsHeaders: [true],
  lists: ["comma"],
  integers: ["digits"],
  emptyTexts: ["absent"],
  unknown: ["warn"],
  largeTexts: undefined,
};

/** Refuses at the start what the types refuse too: a misspelled field would silently change an answer. @throws Error */
export function checkHttp(http: object, rpc: string, isExtended: boolean): void {
  for (const [name, value] of Object.entries(http)) {
    if (!isExtended && !Object.hasOwn(HTTP, name))
      throw new Error(`meta.http of ${rpc} has "${name}"; it knows ${Object.keys(HTTP).join(", ")}`);
    const words = HTTP[name as keyof HttpMeta];
    if (words && value !== undefined && !words.includes(value))
      throw new Error(`meta.http.${name} of ${rpc} must be ${JSON.stringify(words[0])}, or left out`);
    const isStatus = Number.isInteger(value) && Number(value) >= 200 && Number(value) < 300;
    if (name === "status" && value !== undefined && !isStatus)
      throw new Error(`meta.http.status of ${rpc} must be from 200 to 299`);
  }
}

/**
 * A procedure's place in REST, and what the document says about it: the fields of trpc-to-openapi 3, whose own types
 * need five frameworks to compile.
 */
export interface OpenApiOperation {
  /** False removes it from REST and the document. */
  readonly enabled?: boolean;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** With parameters in braces: `/notes/{id}`. */
  readonly path: `/${string}`;
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  /** Whether the document says that it needs a credential. */
  readonly protect?: boolean;
  readonly tags?: string[];
  /** Media types of the body; prefer `meta.http.body`. */
  readonly contentTypes?: string[];
  readonly deprecated?: boolean;
  readonly requestHeaders?: z.ZodObject;
  readonly responseHeaders?: z.ZodObject;
  readonly successDescription?: string;
  /** Statuses, optionally with their meanings. */
  readonly errorResponses?: number[] | Record<number, string>;
}

const OPENAPI: Readonly<Record<keyof OpenApiOperation, true>> = {
  enabled: true,
  method: true,
  path: true,
  operationId: true,
  summary: true,
  description: true,
  protect: true,
  tags: true,
  contentTypes: true,
  deprecated: true,
  requestHeaders: true,
  responseHeaders: true,
  successDescription: true,
  errorResponses: true,
};

/** The fields of `meta.openapi` that have no effect here, such as a misspelt one. */
export function unknownWords(openapi: object): string[] {
  return Object.keys(openapi).filter((name) => !Object.hasOwn(OPENAPI, name));
}

/** The parts of a procedure's meta that the adapter reads. */
export interface AdapterMeta {
  readonly openapi?: OpenApiOperation;
  /** By default the body follows from the method and the schema, and the result is JSON. */
  readonly http?: Omit<HttpMeta, "body" | "result"> & Partial<Pick<HttpMeta, "body" | "result">>;
}

/** The schema of bytes: a file as the body, a part of a form, or a value in a frame, which may be sent from a Blob. */
export function bytes(description = "The file") {
  const schema = z
    .custom<Bytes>((value) => value instanceof Uint8Array)
    .meta({ description, type: "string", format: "binary" });
  // zod has one type for both input and output of custom schemas.
  return schema as unknown as z.ZodCustom<Bytes, Uint8Array | Blob>;
}

/** The schema of a file that is read once, while it is made. */
export function byteStream(description = "The file") {
  return z
    .custom<ByteStream>((value) => value instanceof ByteStream)
    .meta({ description, type: "string", format: "binary" });
}
