/** Methods of HTTP as they are written down (RFC 9110 §9.1, RFC 5789). */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/** What log and traces call a method: a caller can send any word as one, and a secret too. */
export function nameMethod(sent: string): string {
  return METHODS.includes(sent) ? sent : "_OTHER";
}
