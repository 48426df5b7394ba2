// Spans for OpenTelemetry, where the program around has registered a provider. All copies of its API (1.x) in a
// process share one registry, so that none has to be installed here. What a span holds is what the log's line holds.
import { VERSION } from "./version.ts";

const REGISTRY = Symbol.for("opentelemetry.js.api.1");
const SERVER_KIND = 1;
const ERROR_STATUS = 2;
/** W3C Trace Context. What else a provider may read of a request is the caller's own affair. */
const CONTEXT_HEADERS = ["traceparent", "tracestate"];

/** The part of the API that is used here, as its providers implement it. */
interface Registry {
  readonly trace?: { getTracer(name: string, version: string): Tracer };
  readonly context?: { active(): unknown };
  readonly propagation?: { extract(context: unknown, headers: Headers, getter: typeof GETTER): unknown };
}

interface Tracer {
  startSpan(name: string, options: { kind: number; attributes: Attributes }, context?: unknown): OpenSpan;
}

interface OpenSpan {
  setAttributes(attributes: Attributes): unknown;
  setStatus(status: { code: number }): unknown;
  end(): void;
}

type Attributes = Readonly<Record<string, string | number>>;

/** A request that a trace tells of. */
export interface TraceSpan {
  readonly end: (answered: { status: number; requestId: string }) => void;
}

/** Begins the span of a request; undefined where nobody collects them. */
export function startSpan({
  method,
  route,
  headers,
}: {
  /** One of HTTP's own, or `_OTHER`. */
  method: string;
  /** The pattern, never the path. */
  route: string;
  headers: Headers;
}): TraceSpan | undefined {
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
  // Whoever registers uses the API, which keeps this form through all of its 1.x.
  return typeof registered === "object" && registered !== null ? registered : {};
}
