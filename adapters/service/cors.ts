import type { CorsHeaders } from "../trpc/answer/cors.ts";
import { TOOL_HEADERS } from "./answers/tool-file.ts";

/** What a page of another origin may read and send. */
export const CORS: CorsHeaders = {
  exposed: [
    ...["Content-Range", "Secret-Ticket"],
    ...["Request-Id", "Location", "Content-Disposition", "Repr-Digest", "Retry-After"],
    ...["RateLimit", "RateLimit-Policy", "Tool-Warning"],
    ...TOOL_HEADERS,
  ],
  allowed: [
    ...["Accept", "Authorization", "Content-Type", "Range"],
    ...["Secret-Passphrase", "Secret-Ticket", "Tool-Password"],
    // tRPC's links and instrumented clients add these by themselves.
    ...["trpc-accept", "x-trpc-source", "traceparent", "tracestate"],
  ],
};
