import { createClient, failureOf } from "../../client/client.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";

/** The typed client of the server that sent this page. */
export const server = createClient(location.origin);

/** The bytes of a file, as the typed client sends them. */
export async function bytesOf(file: File): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await file.arrayBuffer());
}

/** A failure that can be shown, whether it happened here or on the server. */
export interface Failure {
  readonly message: string;
  readonly code: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Turns anything that was thrown into a failure that can be shown. */
export function describeError(error: unknown): Failure {
  if (error instanceof ToolFailure) return { message: error.message, code: error.code, fields: error.fields };
  const failure = failureOf(error);
  if (failure) return { message: failure.error, code: failure.code, fields: { ...failure } };
  return describeUnexpected(error);
}

function describeUnexpected(error: unknown): Failure {
  if (error instanceof Error && error.name === "NotReadableError") {
    const said = "The file could not be read; it may have changed or been moved since you chose it";
    return { message: said, code: "unreadable", fields: {} };
  }
  if (!navigator.onLine || isNetworkFailure(error)) {
    return { message: "The server could not be reached; nothing was done", code: "unreachable", fields: {} };
  }
  return { message: "Something went wrong in this page; nothing was sent", code: "unforeseen", fields: {} };
}

// tRPC wraps the error of fetch, which is a TypeError in every browser.
function isNetworkFailure(error: unknown): boolean {
  if (error instanceof TypeError && /fetch|network|load/i.test(error.message)) return true;
  return error instanceof Error && error.cause !== undefined && isNetworkFailure(error.cause);
}
