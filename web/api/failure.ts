import { isErrorBody, RestFailure } from "../../client/rest.ts";
import { isServerThere } from "../app/paths/reload.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";

/** A failure that can be shown, from here or from the server. Its sentence comes from the words. */
export interface Failure {
  readonly code: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const UNREACHABLE: Failure = { code: "unreachable", fields: {} };

/** A file that existed when it was chosen, and cannot be read now. */
export class UnreadableFile extends Error {
  readonly fileName: string;

  constructor(fileName: string, options?: ErrorOptions) {
    super("The file cannot be read", options);
    this.fileName = fileName;
  }
}

/** The login in which something was typed has ended. */
export class LoginEnded extends Error {}

/** Turns anything that was thrown into a failure that can be shown. */
export function toFailure(error: unknown): Failure {
  if (error instanceof RestFailure) return failureFrom(error.body ?? error.cause) ?? UNREACHABLE;
  if (error instanceof ToolFailure) return { code: error.code, fields: error.fields };
  if (error instanceof LoginEnded) return { code: "session_required", fields: {} };
  if (error instanceof UnreadableFile) return { code: "unreadable", fields: { fileName: error.fileName } };
  return answerOf(error) ?? { code: unexpectedCode(error), fields: {} };
}

/**
 * The same; where a file of the pages is missing, checks whether the server answers. Only then were the pages updated,
 * and only then does reloading help, which loses what was typed.
 */
export async function findFailure(error: unknown): Promise<Failure> {
  const failure = toFailure(error);
  return failure.code !== "outdated" || (await isServerThere()) ? failure : UNREACHABLE;
}

/** The server's answer behind an error of the typed client, whose class not every page loads. */
function answerOf(error: unknown): Failure | undefined {
  return error instanceof Error && "data" in error ? failureFrom(error.data) : undefined;
}

// The server's own description of a failure (docs/errors.md), or undefined when it is something else.
function failureFrom(body: unknown): Failure | undefined {
  return isErrorBody(body) ? { code: body.code, fields: { ...body } } : undefined;
}

// The messages of Chromium, Firefox and Safari when a file of the pages is gone, which an update of the server causes.
const MISSING_FILE = /dynamically imported module|importing a module script/i;

function unexpectedCode(error: unknown): string {
  const { name, message } = error instanceof Error ? error : new Error();
  // The second is for a missing file.
  if (name === "NotReadableError" || name === "NotFoundError") return "unreadable";
  if (!navigator.onLine) return "unreachable";
  if (MISSING_FILE.test(message)) return "outdated";
  return isNetworkFailure(error) ? "unreachable" : "unforeseen";
}

/** Whether the connection failed although there seems to be one; without one, waiting in silence helps nobody. */
export function isWorthAgain(error: unknown): boolean {
  return navigator.onLine && isNetworkFailure(error);
}

/** Whether the connection failed. tRPC wraps the error of fetch, which is a TypeError in every browser. */
export function isNetworkFailure(error: unknown): boolean {
  if (error instanceof TypeError && /fetch|network|load/i.test(error.message)) return true;
  return error instanceof Error && error.cause !== undefined && isNetworkFailure(error.cause);
}
