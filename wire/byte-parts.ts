import { joinBytes, type Bytes } from "./bytes.ts";

/** Bytes that stand in several arrays, in order: a result that is only sent on need not be copied together first. */
export class ByteParts {
  readonly parts: readonly Uint8Array[];
  readonly length: number;

  constructor(parts: readonly Uint8Array[]) {
    this.parts = parts;
    this.length = parts.reduce((sum, part) => sum + part.length, 0);
  }
}

/** A result whose bytes are still in parts. */
export type WithByteParts<Result> = Result extends { readonly bytes: Bytes }
  ? Omit<Result, "bytes"> & { readonly bytes: ByteParts }
  : never;

/** The same once its bytes are one array; any other result is what it was. */
export type WithBytes<Result> = Result extends { readonly bytes: ByteParts }
  ? Omit<Result, "bytes"> & { readonly bytes: Bytes }
  : Result;

/** The parts as one array with a buffer of its own; the part itself, where it is alone and has one. */
export function joinParts({ parts }: ByteParts): Uint8Array {
  const [only] = parts;
  return only && parts.length === 1 && only.length === only.buffer.byteLength ? only : joinBytes(parts);
}

/** The same result with its bytes in one array. */
export function withBytes<Result extends { readonly bytes: ByteParts }>(result: Result): WithBytes<Result> {
  // Parts are views on ordinary buffers, and all other fields are the result's own.
  return { ...result, bytes: joinParts(result.bytes) } as unknown as WithBytes<Result>;
}
