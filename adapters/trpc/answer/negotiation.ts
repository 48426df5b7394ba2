import { FastResponse } from "srvx";

/**
 * The quality that an Accept header gives a media type, or Accept-Encoding a coding (RFC 9110, 12.5.1 and 12.5.3): the
 * most specific range decides; an empty header accepts everything.
 */
export function qualityOf(type: string, accept: string): number {
  if (accept.trim() === "") return 1;
  const [family] = type.split("/");
  let best = { rank: 0, q: 0 };
  for (const part of accept.split(",")) {
    const [range = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const rank = range === type ? 3 : range === `${family}/*` ? 2 : range === "*/*" ? 1 : 0;
    if (rank > best.rank) best = { rank, q: readQuality(parameters) };
  }
  return best.q;
}

function readQuality(parameters: readonly string[]): number {
  const q = parameters.find((parameter) => parameter.startsWith("q="));
  const value = q === undefined ? 1 : Number(q.slice(2));
  return value >= 0 && value <= 1 ? value : 0;
}

/** Whether the caller prefers `type` to `native`; a tie goes to `native`. */
export function prefers(type: string, { over: native, accept }: { over: string; accept: string }): boolean {
  return qualityOf(type, accept) > qualityOf(native, accept);
}

/** Whether the caller already has the content with this ETag: If-None-Match compares weakly (RFC 9110, 13.1.2). */
export function hasTag({ headers }: Request, tag: string): boolean {
  const wanted = headers.get("if-none-match");
  if (wanted === null) return false;
  if (wanted.trim() === "*") return true;
  const known = wanted.split(",").map((each) => each.trim().replace(/^W\//, ""));
  return known.includes(tag.replace(/^W\//, ""));
}

/** The answer to callers who have it already: these headers, without those of a body. */
export function notModified(headers: Headers): Response {
  for (const name of ["Content-Type", "Content-Encoding", "Content-Length"]) headers.delete(name);
  return new FastResponse(null, { status: 304, headers });
}
