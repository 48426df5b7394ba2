import type { SecurityEvent } from "../../router/meta.ts";
import { VERSION } from "./version.ts";
import { fileURLToPath } from "node:url";
import { PLACES } from "../places.ts";

type RequestEntry = {
  readonly requestId: string;
  readonly method: string;
  /** The route's pattern and never the path: a path can contain an id, a query a password. */
  readonly route: string;
  readonly status: number;
  readonly milliseconds: number;
};

const REPEAT_MS = 1000;
/** A receiver may be away for days, with thousands of events. */
const WEBHOOK_REPEAT_MS = 60_000;

/** The most important first; each level includes those before it. */
export const LOG_LEVELS = ["error", "warn", "info"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type Log = {
  request(entry: RequestEntry): void;
  fault(error: unknown, requestId: string): void;
  /**
   * A part that the server cannot reach: one line a second for each code, however many calls are affected; for webhooks
   * one a minute, with the number since the last.
   */
  outage(error: unknown, part: "database" | "worker" | "oidc" | "webhook" | "hook" | "audit"): void;
  /** An event for alerts, without names and secrets. */
  security(event: SecurityEvent): void;
  /** Something that an operator should fix. */
  warn(event: string, fields: Readonly<Record<string, string>>): void;
  /** An event of the whole server, such as its start. */
  info(event: string, fields?: Readonly<Record<string, string | number>>): void;
};

/** A log of JSON lines. It contains nothing that a caller sent. */
export function createLog({
  level: threshold = "info",
  ...options
}: {
  /** Takes a line without its line break. */
  write: (line: string) => void;
  clock: () => number;
  /** The least important level that is written; "info" where it is absent. */
  level?: LogLevel | undefined;
}): Log {
  function writeLine(level: LogLevel, event: string, fields: object): void {
    if (LOG_LEVELS.indexOf(level) > LOG_LEVELS.indexOf(threshold)) return;
    options.write(JSON.stringify({ time: new Date(options.clock()).toISOString(), event, ...fields }));
  }
  const lastLogged = new Map<string, { at: number; count: number }>();
  function fault(error: unknown, requestId: string, more: { count?: number } = {}): void {
    const { name, frames } = describeError(unwrap(error));
    const code = systemCode(error);
    const fields = { requestId, name, ...(code && { code }), ...more };
    writeLine("error", "fault", { ...fields, frames: frames.map(shortenPath) });
  }
  return {
    fault: (error, requestId) => fault(error, requestId),
    outage(error, part) {
      const isWebhook = part === "webhook" || part === "hook";
      const key = `${part} ${systemCode(error) ?? ""}`;
      const now = options.clock();
      const last = lastLogged.get(key) ?? { at: -Infinity, count: 0 };
      const count = last.count + 1;
      const isRepeat = Math.abs(now - last.at) < (isWebhook ? WEBHOOK_REPEAT_MS : REPEAT_MS);
      lastLogged.set(key, isRepeat ? { at: last.at, count } : { at: now, count: 0 });
      if (!isRepeat) fault(error, part, isWebhook ? { count } : {});
    },
    security: (event) => writeLine("warn", event, { kind: "security" }),
    request({ requestId, method, route, status, milliseconds }) {
      const rounded = Math.round(milliseconds);
      writeLine("info", "request", { requestId, method, route, status, milliseconds: rounded });
    },
    warn: (event, fields) => writeLine("warn", event, fields),
    info: (event, fields = {}) => writeLine("info", event, fields),
  };
}

// tRPC wraps an error and copies the inner one's stack. That stack begins with the inner message, so only the message of
// the inner error can be removed from it. Bounded, because causes may form a cycle.
function unwrap(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error && error.cause instanceof Error)) return error;
  return error.cause.stack === error.stack && depth < 10 ? unwrap(error.cause, depth + 1) : error;
}

// Only codes of these forms, which no caller can choose: of the system, of SQLite, SQLSTATEs, how a worker ended, and
// this project's own. They tell a full disk from a lost connection.
const SYSTEM_CODE =
  /^(E[A-Z]{2,20}|SIG[A-Z0-9]{2,8}|exit code \d{1,3}|SQLITE_[A-Z_]{2,40}|database_replaced|database_busy|clock_jumped|OAUTH_[A-Z_]{2,60}|oidc_[a-z_]{2,30}|(?:web)?hook_[a-z_]{2,20}|[0-9A-Z]{5})$/;

// The innermost code: outer errors only say that something inside has failed.
function systemCode(error: unknown, depth = 0): string | undefined {
  if (!(error instanceof Error) || depth > 10) return undefined;
  const code = "code" in error ? String(error.code) : "";
  return systemCode(error.cause, depth + 1) ?? (SYSTEM_CODE.test(code) ? code : undefined);
}

// A stack frame outside the project: of a linked package, or of the runtime.
const FOLDERS = /(?<=[ (])(?:file:\/\/|\/|[A-Za-z]:[\\/])[^()]*[\\/]/;
const PACKAGE = /node_modules[\\/](?!.*node_modules[\\/]).*/;

function shortenPath(frame: string): string {
  return frame.replace(FOLDERS, (folders) => PACKAGE.exec(folders)?.[0] ?? "");
}

// Spans for OpenTelemetry, where the embedding program has registered a provider. All copies of its API (1.x) in a
// process share one registry, so it need not be installed here. A span contains what the log's line contains.
const REGISTRY = Symbol.for("opentelemetry.js.api.1");
const SERVER_KIND = 1;
const ERROR_STATUS = 2;
/** W3C Trace Context. The caller decides what else a provider may read. */
const CONTEXT_HEADERS = ["traceparent", "tracestate"];

/** The part of the API that is used here. */
interface Registry {
  readonly trace?: { getTracer(name: string, version: string): Tracer };
  readonly context?: { active(): unknown };
  readonly propagation?: { extract(context: unknown, headers: Headers, getter: typeof GETTER): unknown };
}

interface Tracer {
  startSpan(
    name: string,
    options: { kind: number; attributes: Attributes },
    context?: unknown,
  ): {
    setAttributes(attributes: Attributes): unknown;
    setStatus(status: { code: number }): unknown;
    end(): void;
  };
}

type Attributes = Readonly<Record<string, string | number>>;

/** Begins the span of a request; undefined where nobody collects spans. */
export function startSpan({
  method,
  route,
  headers,
}: {
  /** A method of HTTP, or `_OTHER`. */
  method: string;
  /** The pattern, never the path. */
  route: string;
  headers: Headers;
}): { end: (answered: { status: number; requestId: string }) => void } | undefined {
  const { trace, context, propagation } = readRegistry();
  if (!trace) return undefined;
  const parent = context && propagation?.extract(context.active(), headers, GETTER);
  const name = `${method === "_OTHER" ? "HTTP" : method} ${route}`;
  const attributes = { "http.request.method": method, "http.route": route };
  const span = trace.getTracer("hushkit", VERSION).startSpan(name, { kind: SERVER_KIND, attributes }, parent);
  return {
    end({ status, requestId }) {
      span.setAttributes({ "http.response.status_code": status, "hushkit.request_id": requestId });
      if (status >= 500) span.setStatus({ code: ERROR_STATUS });
      span.end();
    },
  };
}

const GETTER = {
  keys: () => CONTEXT_HEADERS,
  get: (headers: Headers, name: string) =>
    CONTEXT_HEADERS.includes(name) ? (headers.get(name) ?? undefined) : undefined,
};

function readRegistry(): Registry {
  const registered: unknown = Reflect.get(globalThis, REGISTRY);
  // Providers register through the API, which keeps this form throughout 1.x.
  return typeof registered === "object" && registered !== null ? registered : {};
}

const MAX_FRAMES = 30;

// "at readPage (file:///srv/tools/pdf/load.ts:12:5)", also without a name, and with "async" or "new" before it.
const PLACE = String.raw`(?:file:\/\/|node:|ext:|\/|[A-Za-z]:\\|native|unknown|<anonymous>|:\d)[^()]*`;
const FRAME = new RegExp(String.raw`^\s+at (?:(?:async )?${PLACE}|[^()]+ \(${PLACE}\))$`);

const ROOT_URL = PLACES.root.href;
const ROOT_PATH = fileURLToPath(ROOT_URL);

/**
 * The name and stack frames of an error, without its message, which may contain what a caller sent. Paths are relative
 * to the project.
 */
export function describeError(error: unknown): { name: string; frames: string[] } {
  if (!(error instanceof Error)) return { name: "Error", frames: [] };
  const name = /^[A-Za-z]{1,40}$/.test(error.name) ? error.name : "Error";
  return { name, frames: readFrames(error.stack ?? "", error.message) };
}

// A message of several lines can imitate frames. So it is cut off where the stack begins with it, and of the rest only
// the last unbroken run of frames counts.
function readFrames(stack: string, message: string): string[] {
  const start = stack.indexOf(message);
  const lines = stack.slice(start < 0 ? 0 : start + message.length).split("\n");
  const frames = lines.slice(lines.findLastIndex((line) => !FRAME.test(line)) + 1);
  return frames.slice(0, MAX_FRAMES).map((line) => line.trim().replace(ROOT_URL, "").replace(ROOT_PATH, ""));
}

/** Where the log's lines go. */
interface Lines {
  readonly write: (line: string) => void;
  /** Writes what was not written yet, at the end of the process. */
  readonly flush: () => void;
}

/** Each write to a pipe wakes its reader, which costs a busy server more than the request itself. */
const COLLECT_MS = 50;

/** Writes the lines of a few milliseconds together. */
export function collectLines(write: (text: string) => void): Lines {
  let text = "";
  const flush = () => {
    const lines = text;
    text = "";
    if (lines !== "") write(lines);
  };
  return {
    write(line) {
      if (text === "") setTimeout(flush, COLLECT_MS);
      text += `${line}\n`;
    },
    flush,
  };
}
