import { createWriteStream, openSync, type WriteStream } from "node:fs";
import { ConfigError } from "../config/config.ts";
import type { Act } from "../../router/context.ts";
import type { WebhookEvent } from "./webhooks.ts";

/** Where it is written who did what. */
export interface Audit {
  readonly act: (act: Act) => void;
  /** What ended, whoever ended it. */
  readonly event: (event: WebhookEvent) => void;
  /** Opens the file anew, after it was moved away. */
  readonly reopen: () => void;
  readonly close: () => Promise<void>;
}

/** Ends that nobody's call may stand for: a secret is opened by anybody, and expires by itself. */
const ENDS =
  /^(?:secret\.(?:revealed|revoked|expired|locked)|request\.(?:answered|collected|cancelled|expired))$/;

/**
 * Writes JSON lines to standard output, or to a file that only the owner can read. A line has ids, the first characters of
 * a token and a shortened address: no content, key, name of a file or whole address.
 * @throws ConfigError when the file cannot be opened
 */
export function openAudit({
  to,
  clock,
  write,
  onFault,
}: {
  readonly to: "stdout" | { readonly path: string };
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** For "stdout": takes a line without its line break. */
  readonly write: (line: string) => void;
  readonly onFault: (error: unknown) => void;
}): Audit {
  let file = to === "stdout" ? undefined : openFile(to.path, onFault);
  const writeLine = (time: string, fields: object) => {
    const line = JSON.stringify({ time, ...fields, ...(file ? {} : { kind: "audit" }) });
    if (file) file.write(`${line}\n`);
    else write(line);
  };
  return {
    act: (act) => writeLine(new Date(clock()).toISOString(), act),
    event({ type, timestamp, data }) {
      if (!ENDS.test(type)) return;
      writeLine(timestamp, { event: type, account: data.account ?? null, subject: data.id });
    },
    reopen() {
      if (to === "stdout") return;
      try {
        const next = openFile(to.path, onFault);
        file?.end();
        file = next;
      } catch (error) {
        // The old one goes on, whatever it is called now.
        onFault(error);
      }
    },
    close: () => new Promise((resolve) => (file ? file.end(() => resolve()) : resolve())),
  };
}

function openFile(path: string, onFault: (error: unknown) => void): WriteStream {
  try {
    return createWriteStream(path, { fd: openSync(path, "a", 0o600) }).on("error", onFault);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    throw new ConfigError(`AUDIT_LOG cannot be written (${code}).`);
  }
}
