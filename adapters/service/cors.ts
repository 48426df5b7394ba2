import type { CorsHeaders } from "../trpc/answer/answer-route.ts";
import { SECRET_HEADERS } from "./body-kinds/body-kinds.ts";
import { FACT_HEADERS } from "./endpoints.ts";

/** What a page of another origin may read and send. */
export const CORS: CorsHeaders = {
  exposed: [
    ...["Content-Range", "Secret-Ticket"],
    ...["Request-Id", "Location", "Content-Disposition", "Repr-Digest", "Retry-After"],
    ...["RateLimit", "RateLimit-Policy", "Tool-Warning", "ETag"],
    ...FACT_HEADERS.keys(),
  ],
  allowed: [
    ...["Accept", "Authorization", "Content-Type", "Range", "If-None-Match"],
    ...["Secret-Passphrase", "Secret-Ticket", "Idempotency-Key"],
    ...Object.values(SECRET_HEADERS),
    // tRPC's links and instrumented clients add these by themselves.
    ...["trpc-accept", "x-trpc-source", "traceparent", "tracestate"],
  ],
};
