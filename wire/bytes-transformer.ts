import { decodeBase64Tree, encodeBase64Tree } from "./base64-tree.ts";

/** A transformer of tRPC, for both ends: bytes travel in JSON as base64, where no frame carries them as they are. */
export const bytesTransformer = {
  serialize: encodeBase64Tree,
  deserialize: decodeBase64Tree,
  /** It carries nothing else that JSON does not, so that a frame needs none of it. */
  bytesOnly: true,
};

/** What the head of a frame goes through, of the two ends of a transformer: nothing where that carries bytes alone. */
export function headTransformer<Transformer extends object>(
  transformer: Transformer | undefined,
): Transformer | undefined {
  return transformer && "bytesOnly" in transformer ? undefined : transformer;
}
