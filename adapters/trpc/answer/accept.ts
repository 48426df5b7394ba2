/**
 * The quality that an Accept header gives a media type, or Accept-Encoding a coding (RFC 9110, 12.5.1 and 12.5.3):
 * the most specific range decides; an empty header accepts everything.
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

/** True when the caller would rather have `type` than `native`; a tie goes to `native`. */
export function prefers(type: string, { over: native, accept }: { over: string; accept: string }): boolean {
  return qualityOf(type, accept) > qualityOf(native, accept);
}
