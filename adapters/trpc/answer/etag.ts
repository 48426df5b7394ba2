import { FastResponse } from "srvx";

/** Whether the caller has what stands behind a tag already: If-None-Match compares weakly (RFC 9110, 13.1.2). */
export function hasTag({ headers }: Request, tag: string): boolean {
  const wanted = headers.get("if-none-match");
  if (wanted === null) return false;
  if (wanted.trim() === "*") return true;
  const known = wanted.split(",").map((each) => each.trim().replace(/^W\//, ""));
  return known.includes(tag.replace(/^W\//, ""));
}

/** The answer to whoever has it already: these headers, without those of a body. */
export function notModified(headers: Headers): Response {
  for (const name of ["Content-Type", "Content-Encoding", "Content-Length"]) headers.delete(name);
  return new FastResponse(null, { status: 304, headers });
}
