import { FastResponse } from "srvx";
import { errorBody, type ApiError } from "../../../router/errors/errors.ts";
import { toApiError } from "../../../router/errors/explain-error.ts";
import { streamedFrameParts } from "../../../wire/frame.ts";
import { JsonText } from "../../../wire/json-text.ts";
import { FRAME_TYPE } from "../../../wire/rpc.ts";
import { answerParts } from "../answer/answer-parts.ts";
import { spliceTexts } from "../answer/json-text.ts";
import { baseHeaders, type RequestContext } from "../../service/request-context.ts";
import type { Log } from "../../operations/log.ts";
import { errorHeaders } from "../rest/errors.ts";

// JSON-RPC 2.0, 5.1: the first of the codes that a server may give a meaning; ours is in `data`.
const SERVER_ERROR = -32000;

export function isFrame({ mediaType }: RequestContext): boolean {
  return mediaType === FRAME_TYPE;
}

/** Answers with a frame: a result, or a failure with its error. */
export function writeFrame(
  value: unknown,
  { context, error }: { context: RequestContext; error?: ApiError },
): Response {
  // A stream has its place in the frame, so what is put into its JSON are texts alone.
  const texts = context.trpcContext.jsonParts.filter((part) => part instanceof JsonText);
  const parts = streamedFrameParts(value, { encode: (json) => spliceTexts(json, texts) });
  const headers = headersOf(context, error);
  headers.set("Content-Type", FRAME_TYPE);
  return answerParts(parts, { context, status: error?.status ?? 200, headers });
}

/** A failure as tRPC's links read it. `code` is JSON-RPC's. */
export function failure(error: ApiError, { requestId, code = SERVER_ERROR }: Naming) {
  const data = { ...errorBody(error, requestId), httpStatus: error.status };
  return { error: { message: error.message, code, data } };
}

interface Naming {
  readonly requestId: string;
  readonly code?: number | undefined;
}

interface Of {
  readonly context: RequestContext;
  readonly log: Log;
  /** JSON-RPC's code, where it is known. */
  readonly code?: number;
}

/** The answer to what is refused before any procedure, in the form that the caller's link reads. */
export function answerRpcError(error: unknown, { context, log, code }: Of): Response {
  const { requestId } = context;
  const apiError = toApiError(error);
  if (apiError.code === "internal") log.fault(error, requestId);
  const body = failure(apiError, { requestId, code });
  if (isFrame(context)) return writeFrame(body, { context, error: apiError });
  const headers = headersOf(context, apiError);
  headers.set("Content-Type", "application/json; charset=utf-8");
  return new FastResponse(JSON.stringify(body), { status: apiError.status, headers });
}

function headersOf(context: RequestContext, error: ApiError | undefined): Headers {
  const headers = baseHeaders(context);
  if (error) for (const [name, value] of errorHeaders(error)) headers.set(name, value);
  return headers;
}
