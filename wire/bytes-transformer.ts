import { decodeBase64Tree, encodeBase64Tree } from "./base64-tree.ts";

/** A transformer of tRPC, for both ends: bytes travel in JSON as base64, where no frame carries them as they are. */
export const bytesTransformer = { serialize: encodeBase64Tree, deserialize: decodeBase64Tree };
