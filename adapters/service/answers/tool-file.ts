import { describeWarnings, type DescribedWarning, type ToolWarning } from "../../../wire/tool-warning.ts";
import { prefers } from "../../trpc/answer/negotiation.ts";
import { answerParts } from "../../trpc/answer/answer-parts.ts";
import { contentDisposition } from "../../trpc/answer/disposition.ts";
import type { RequestContext, WriteResult } from "../../trpc/adapter.ts";
import { JSON_TYPE } from "../../trpc/rest/routes.ts";
import type { FactHeader, FileEndpoint } from "../fact-headers.ts";
import { ENVELOPE, envelopeParts, type FileAnswer } from "./envelope.ts";

/** Writes the file that a tool has made: as it is, or in the envelope. */
export const writeToolFile: WriteResult = (result, context, endpoint) => {
  // The output schema has checked the shape (router/schemas.ts).
  const file = result as FileAnswer;
  const accept = context.request.headers.get("accept");
  const warnings = [...file.warnings, ...ignoredOf(context)];
  const isEnvelope = context.url.pathname.endsWith(ENVELOPE);
  if (isEnvelope || (accept !== null && prefers("application/json", { over: file.type, accept }))) {
    return writeEnvelope({ ...file, warnings }, context);
  }
  // Every endpoint of this service is made with them (adapters/service/endpoints.ts).
  const { facts } = endpoint as FileEndpoint;
  const headers = fileHeaders(file, { context, facts });
  addWarnings(headers, warnings);
  return answerParts([file.data], { context, status: 200, headers });
};

function writeEnvelope(file: FileAnswer, context: RequestContext): Response {
  const headers = new Headers(context.responseHeaders);
  headers.set("Content-Type", JSON_TYPE);
  headers.set("Vary", "Accept, Authorization");
  return answerParts(envelopeParts(file, context), { context, status: 200, headers });
}

function fileHeaders(
  file: FileAnswer,
  { context, facts }: { context: RequestContext; facts: readonly FactHeader[] },
): Headers {
  const headers = new Headers(context.responseHeaders);
  headers.set("Content-Type", file.type);
  headers.set("Content-Disposition", contentDisposition(file.name));
  headers.set("Content-Security-Policy", "default-src 'none'; sandbox; frame-ancestors 'none'");
  headers.set("Repr-Digest", `sha-256=:${Buffer.from(file.sha256, "hex").toString("base64")}:`);
  headers.set("Vary", "Accept, Authorization");
  const extras: Record<string, unknown> = { ...file };
  for (const { key, header } of facts) {
    if (extras[key] !== undefined) headers.set(header, String(extras[key]));
  }
  return headers;
}

/** What of a call was ignored travels in a header, also beside an error. */
export function addIgnored(headers: Headers, context: RequestContext): void {
  addWarnings(headers, ignoredOf(context));
}

function ignoredOf({ warnings }: RequestContext): DescribedWarning[] {
  if (warnings.length === 0) return [];
  // The codes that the adapter and the body kinds add are in the table of wire/tool-warning.ts.
  return describeWarnings(warnings as ToolWarning[]);
}

// Header values are ASCII (RFC 9110, 5.5); a warning may quote a name in any script.
function addWarnings(headers: Headers, warnings: readonly DescribedWarning[]): void {
  for (const { message } of warnings) headers.append("Tool-Warning", message.replace(/[^\x20-\x7e]/g, "?"));
}
