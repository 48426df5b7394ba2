import { decodeBase64Tree, encodeBase64Tree } from "./base64-tree.ts";

/** A transformer of tRPC, for both ends: bytes travel in JSON as base64, where no frame carries them as they are. */
export const bytesTransformer = {
  serialize: (value: unknown) => encodeBase64Tree(value),
  deserialize: decodeBase64Tree,
  /** It carries nothing else that JSON does not, so that a frame needs none of it. */
  bytesOnly: true,
};

/** What the head of a frame goes through, of the two ends of a transformer: nothing where that carries bytes alone. */
export function headTransformer<Transformer extends object>(
  transformer: Transformer | undefined,
): Transformer | undefined {
  return transformer && isBytesOnly(transformer) ? undefined : transformer;
}

/** Whether a transformer is the one above, or one end of it. */
export function isBytesOnly(transformer: object): boolean {
  return "bytesOnly" in transformer;
}
