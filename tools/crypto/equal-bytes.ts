/**
 * Whether two digests, MACs or keys are equal; the only place that compares them. It looks at every byte, so that the
 * time reveals nothing about where they differ; lengths are no secret.
 */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  // Both have values at every index below their length.
  for (let i = 0; i < a.length; i++) difference |= a[i]! ^ b[i]!;
  return difference === 0;
}
