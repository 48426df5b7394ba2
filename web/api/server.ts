import { createClient, failureOf } from "../../client/client.ts";
import { SERVER_URL } from "../app/base.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";

/** The typed client of the server that sent this page. */
export const server = createClient(SERVER_URL);

/** The bytes of a file, as the typed client sends them. */
export async function bytesOf(file: File): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.arrayBuffer());
}

/** A failure that can be shown, whether it happened here or on the server. Its sentence comes from the words. */
export interface Failure {
  readonly code: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Turns anything that was thrown into a failure that can be shown. */
export function describeError(error: unknown): Failure {
  if (error instanceof ToolFailure) return { code: error.code, fields: error.fields };
  const failure = failureOf(error);
  if (failure) return { code: failure.code, fields: { ...failure } };
  return { code: unexpectedCode(error), fields: {} };
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

// tRPC wraps the error of fetch, which is a TypeError in every browser.
function isNetworkFailure(error: unknown): boolean {
  if (error instanceof TypeError && /fetch|network|load/i.test(error.message)) return true;
  return error instanceof Error && error.cause !== undefined && isNetworkFailure(error.cause);
}
