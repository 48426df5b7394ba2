import { FastResponse } from "srvx";
import { errorBody, type ApiError } from "../../../router/errors/errors.ts";
import { toApiError } from "../../../router/errors/explain-error.ts";
import { qualityOf } from "../answer/accept.ts";
import { baseHeaders, type RequestContext } from "../../service/request-context.ts";
import { describeWarnings } from "../../../wire/tool-warning.ts";
import type { Log } from "../../operations/log.ts";
import { addWarnings } from "./results.ts";

/** The answer to whatever went wrong outside a procedure. */
export function answerError(
  error: unknown,
  { context, log }: { context: RequestContext; log: Log },
): Response {
  const apiError = toApiError(error);
  if (apiError.code === "internal") log.fault(error, context.requestId);
  return writeError(apiError, context);
}

/** What an error says in headers too, over REST and RPC. */
export function errorHeaders({ status, details }: ApiError): Headers {
  const headers = new Headers();
  if (status === 401) headers.set("WWW-Authenticate", "Bearer");
  if (details.retryAfter !== undefined) headers.set("Retry-After", String(details.retryAfter));
  if (status === 405 && details.allowed) headers.set("Allow", details.allowed.join(", "));
  return headers;
}

/** Writes an error; with `Accept: application/problem+json` it has the RFC 9457 members too. */
export function writeError(error: ApiError, context: RequestContext): Response {
  const { status, code, message } = error;
  const headers = baseHeaders(context);
  const accept = context.request.headers.get("accept") ?? "";
  const asProblem =
    /application\/problem\+json/i.test(accept) && qualityOf("application/problem+json", accept) > 0;
  for (const [name, value] of errorHeaders(error)) headers.set(name, value);
  const type = asProblem ? "application/problem+json" : "application/json";
  headers.set("Content-Type", `${type}; charset=utf-8`);
  addWarnings(headers, describeWarnings(context.warnings));
  const body = errorBody(error, context.requestId);
  const members = { type: `/docs#${code}`, title: TITLES[status] ?? "Error", detail: message };
  const instance = `urn:request:${context.requestId}`;
  const text = JSON.stringify(asProblem ? { ...body, ...members, instance } : body);
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
