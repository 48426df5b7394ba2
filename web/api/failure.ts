import { isErrorBody, RestFailure } from "../../client/rest.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";

/** A failure that can be shown, whether it happened here or on the server. Its sentence comes from the words. */
export interface Failure {
  readonly code: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const UNREACHABLE: Failure = { code: "unreachable", fields: {} };

/** Turns anything that was thrown into a failure that can be shown. */
export function toFailure(error: unknown): Failure {
  if (error instanceof RestFailure) return failureFrom(error.body) ?? UNREACHABLE;
  if (error instanceof ToolFailure) return { code: error.code, fields: error.fields };
  return answerOf(error) ?? { code: unexpectedCode(error), fields: {} };
}

/** The server's answer behind an error of the typed client, whose class not every page loads. */
function answerOf(error: unknown): Failure | undefined {
  return error instanceof Error && "data" in error ? failureFrom(error.data) : undefined;
}

// The server's own description of a failure (docs/errors.md), or undefined when it is something else.
function failureFrom(body: unknown): Failure | undefined {
  return isErrorBody(body) ? { code: body.code, fields: { ...body } } : undefined;
}

// What Chromium, Firefox and Safari say when a file of the pages is gone, which an update of the server causes.
const MISSING_FILE = /dynamically imported module|importing a module script/i;

function unexpectedCode(error: unknown): string {
  const { name, message } = error instanceof Error ? error : new Error();
  if (name === "NotReadableError") return "unreadable";
  if (!navigator.onLine) return "unreachable";
  if (MISSING_FILE.test(message)) return "outdated";
  return isNetworkFailure(error) ? "unreachable" : "unforeseen";
}

/** Whether the connection failed. tRPC wraps the error of fetch, which is a TypeError in every browser. */
export function isNetworkFailure(error: unknown): boolean {
  if (error instanceof TypeError && /fetch|network|load/i.test(error.message)) return true;
  return error instanceof Error && error.cause !== undefined && isNetworkFailure(error.cause);
}
