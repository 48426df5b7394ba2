import type { ByteStream } from "../../wire/byte-pieces.ts";
import { describeWarnings, type DescribedWarning, type ToolWarning } from "../../wire/tool-warning.ts";
import { prefers } from "../trpc/answer/negotiation.ts";
import { answerParts, contentDisposition } from "../trpc/answer/answer-parts.ts";
import type { RequestContext, WriteResult, Endpoint } from "../trpc/adapter.ts";
import { JSON_TYPE } from "../trpc/rest/routes.ts";
import { quotedBase64 } from "../trpc/answer/json-text.ts";
import type { AnswerPart } from "../trpc/answer/stream.ts";
import type { AnyTRPCProcedure } from "@trpc/server";
import { z } from "zod";
import type { Meta } from "../../router/meta.ts";
import { outputOf } from "../trpc/introspect.ts";
import { endsWithPath } from "../trpc/rest/routes.ts";
import type { Json } from "../trpc/openapi/types.ts";

/** Writes the file that a tool made: as it is, or in the envelope. */
export const writeToolFile: WriteResult = (result, context, endpoint) => {
  // The output schema has checked the shape (router/schemas.ts).
  const file = result as FileAnswer;
  const accept = context.request.headers.get("accept");
  const warnings = [...file.warnings, ...ignoredOf(context)];
  const isEnvelope = endsWithPath(context.url, ENVELOPE);
  if (isEnvelope || (accept !== null && prefers("application/json", { over: file.type, accept }))) {
    return writeEnvelope({ ...file, warnings }, context);
  }
  // Every endpoint of this service has them (adapters/service/endpoints.ts).
  const { facts } = endpoint as FileEndpoint;
  const headers = fileHeaders(file, context, facts);
  addWarnings(headers, warnings);
  return answerParts([file.data], { context, status: 200, headers });
};

function writeEnvelope(file: FileAnswer, context: RequestContext): Response {
  const headers = new Headers(context.responseHeaders);
  headers.set("Content-Type", JSON_TYPE);
  headers.set("Vary", "Accept, Authorization");
  return answerParts(envelopeParts(file, context), { context, status: 200, headers });
}

function fileHeaders(file: FileAnswer, context: RequestContext, facts: readonly FactHeader[]): Headers {
  const headers = downloadHeaders(file, context);
  headers.set("Repr-Digest", `sha-256=:${Buffer.from(file.sha256, "hex").toString("base64")}:`);
  const extras: Record<string, unknown> = { ...file };
  for (const { key, header } of facts) {
    if (extras[key] !== undefined) headers.set(header, String(extras[key]));
  }
  return headers;
}

/** The headers of every file that is sent as it is: saved under its name, and never run as a page of this server. */
export function downloadHeaders(
  { name, type }: { name: string; type: string },
  { responseHeaders }: RequestContext,
): Headers {
  const headers = new Headers(responseHeaders);
  headers.set("Content-Type", type);
  headers.set("Content-Disposition", contentDisposition(name));
  headers.set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'");
  headers.set("Vary", "Accept, Authorization");
  return headers;
}

/** Ignored parts of a call are reported in a header, also with an error. */
export function addIgnored(headers: Headers, context: RequestContext): void {
  addWarnings(headers, ignoredOf(context));
}

function ignoredOf({ warnings }: RequestContext): DescribedWarning[] {
  if (warnings.length === 0) return [];
  // The codes that the adapter and the body kinds add are in wire/tool-warning.ts.
  return describeWarnings(warnings as ToolWarning[]);
}

// Header values are ASCII (RFC 9110, 5.5); a warning may quote a name in any script.
function addWarnings(headers: Headers, warnings: readonly DescribedWarning[]): void {
  for (const { message } of warnings) headers.append("Tool-Warning", message.replace(/[^\x20-\x7e]/g, "?"));
}

/** A file that a procedure returns (router/schemas.ts). */
interface FileAnswer {
  readonly tool: string;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly data: Uint8Array<ArrayBuffer> | ByteStream;
  readonly sha256: string;
  readonly warnings: readonly DescribedWarning[];
}

/** Added to a tool's path: there it always answers with the envelope. */
export const ENVELOPE = "/envelope";

/**
 * A file as JSON with its bytes in base64, written piece by piece: the text of a 100 MB file is never in memory as a
 * whole.
 */
function envelopeParts(file: FileAnswer, { requestId }: { requestId: string }): AnswerPart[] {
  const { tool, name, type, size, data, sha256, warnings, ...extras } = file;
  const head = JSON.stringify({ tool, name, type, size, encoding: "base64" });
  const tail = JSON.stringify({ sha256, ...extras, warnings, requestId });
  return [Buffer.from(`${head.slice(0, -1)},"data":`), quotedBase64(data), Buffer.from(`,${tail.slice(1)}`)];
}

/** A fact about a tool's file, sent in the envelope and as a header of the file itself. */
export interface FactHeader {
  readonly key: string;
  readonly header: `Tool-${string}`;
  readonly schema: Json;
}

/** An endpoint whose result may be a file. */
export interface FileEndpoint extends Endpoint {
  /** The facts that are sent in headers. */
  readonly facts: readonly FactHeader[];
}

// A list could make the head very long, and a text may be what the caller sent; a list of known words is short.
const FACT_SCHEMAS: readonly { readonly isOf: (schema: unknown) => boolean; readonly schema: Json }[] = [
  { isOf: (schema) => schema instanceof z.ZodNumber, schema: { type: "integer", minimum: 0 } },
  { isOf: (schema) => schema instanceof z.ZodBoolean, schema: { type: "boolean" } },
  {
    isOf: (schema) => schema instanceof z.ZodArray && schema.element instanceof z.ZodEnum,
    schema: { type: "string" },
  },
];

/** The facts that a tool reports about its file, besides its size, which is Content-Length. */
export function factsOf(procedure: AnyTRPCProcedure, { tool, http }: Meta): FactHeader[] {
  if (!tool || http?.result !== "file") return [];
  const output = outputOf(procedure);
  const fields = output instanceof z.ZodObject ? Object.entries(output.shape) : [];
  return fields.flatMap(([key, given]) => {
    const inner = given instanceof z.ZodOptional ? given.unwrap() : given;
    const found = FACT_SCHEMAS.find(({ isOf }) => key !== "size" && isOf(inner));
    return found ? [{ key, header: headerOf(key), schema: found.schema }] : [];
  });
}

function headerOf(key: string): FactHeader["header"] {
  const words = key.replace(/[A-Z]/g, (letter) => `-${letter}`);
  return `Tool-${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
