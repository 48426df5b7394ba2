/**
 * Whether two digests, MACs or keys are the same, the one place where such are compared. Every byte is looked at, so that
 * the time taken tells nothing about where they differ; that their lengths differ it may tell, as those are no secret.
 */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  // Neither has gaps below its length.
  for (let i = 0; i < a.length; i++) difference |= a[i]! ^ b[i]!;
  return difference === 0;
}
