import { decodeBase64, encodeBase64 } from "./base64.ts";
import { ByteParts, joinParts } from "./byte-parts.ts";
import { ByteStream } from "./byte-stream.ts";
import { markBytes, unmarkBytes } from "./byte-tree.ts";

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

/**
 * Makes a tree that JSON can carry: each Uint8Array becomes {"$bytes":"<base64>"}. Undefined stays undefined. `encode` may
 * give a mark in place of the base64, as a stream has one: whoever sends the JSON puts the base64 there.
 * @throws TypeError for what JSON cannot carry (see markBytes)
 */
export function encodeBase64Tree(value: unknown, encode = encodeBase64): unknown {
  return value === undefined
    ? undefined
    : markBytes(value, (bytes) => {
        if (bytes instanceof ByteStream) return bytes.mark;
        return encode(bytes instanceof ByteParts ? joinParts(bytes) : bytes);
      });
}

/**
 * Puts the bytes back: the inverse of encodeBase64Tree.
 * @throws TypeError for a tree it cannot have made, ToolFailure invalid_base64
 */
export function decodeBase64Tree(tree: unknown): unknown {
  return unmarkBytes(tree, (mark) => {
    if (typeof mark !== "string") throw new TypeError(`"$bytes" must hold base64`);
    return decodeBase64(mark);
  });
}
