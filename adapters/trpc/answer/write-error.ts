import { FastResponse } from "srvx";
import { INTERNAL } from "../format-error.ts";
import type { FailedCall, FormattedError, RequestContext } from "../adapter.ts";
import { qualityOf } from "./negotiation.ts";

/** What a caller gets for an error: one flat object, the same over REST and RPC. */
export function writtenError({ message, code, status, details }: FormattedError, requestId: string) {
  return { error: message, code, status, requestId, ...details };
}

/** Formats what a call threw, and reports it where it was unexpected. */
export function formatThrown(
  error: unknown,
  context: RequestContext,
  failed: FailedCall = {},
): FormattedError {
  const { adapter } = context;
  return runFormatter(context, {
    format: () => {
      const formatted = adapter.formatError(error, failed);
      // Work that was stopped for a caller who has left is not a fault.
      if (formatted.status === 500 && !context.request.signal.aborted) adapter.onFault(error, context);
      return formatted;
    },
    instead: () => INTERNAL,
  });
}

/** Runs a formatter, which may be the program's own and throw: that is reported, and the caller learns nothing of it. */
export function runFormatter<Formatted>(
  context: RequestContext,
  { format, instead }: { format: () => Formatted; instead: () => Formatted },
): Formatted {
  try {
    return format();
  } catch (fault) {
    context.adapter.onFault(fault, context);
    return instead();
  }
}

/** The answer to an error outside of a procedure. */
export function answerError(error: unknown, context: RequestContext): Response {
  return writeError(formatThrown(error, context), context);
}

/** The part of an error that is in headers too, over REST and RPC. */
export function errorHeaders({ status, details: { retryAfter, allowed } }: FormattedError): Headers {
  const headers = new Headers();
  if (status === 401) headers.set("WWW-Authenticate", "Bearer");
  if (retryAfter !== undefined) headers.set("Retry-After", String(retryAfter));
  if (status === 405 && allowed) headers.set("Allow", allowed.join(", "));
  return headers;
}

/** Writes an error; with `Accept: application/problem+json` it also has the fields of RFC 9457. */
export function writeError(error: FormattedError, context: RequestContext): Response {
  const { adapter } = context;
  const { status, code, message } = error;
  const headers = new Headers(context.responseHeaders);
  const accept = context.request.headers.get("accept") ?? "";
  const asProblem =
    /application\/problem\+json/i.test(accept) && qualityOf("application/problem+json", accept) > 0;
  for (const [name, value] of errorHeaders(error)) headers.set(name, value);
  const type = asProblem ? "application/problem+json" : "application/json";
  headers.set("Content-Type", `${type}; charset=utf-8`);
  adapter.addWarnings(headers, context);
  const body = writtenError(error, context.requestId);
  const fields = { type: adapter.problemType(code), title: TITLES[status] ?? "Error", detail: message };
  const instance = `urn:request:${context.requestId}`;
  const text = JSON.stringify(asProblem ? { ...body, ...fields, instance } : body);
  return new FastResponse(text, { status, headers });
}

/** The names of the statuses (RFC 9110). */
export const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  413: "Content Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  416: "Range Not Satisfiable",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
};
