import { ByteStream, readAll } from "../../../wire/byte-pieces.ts";
import { builtinModule } from "../../../wire/runtime/builtin-module.ts";
import { ownBytes, type Bytes } from "../../../wire/bytes.ts";

/** A way to compress answers. */
export interface Coding {
  /** As in Content-Encoding. */
  readonly name: "br" | "gzip";
  /** All at once; "best" takes longer, for what is packed once and sent often. */
  readonly pack: (bytes: Bytes, effort: "best" | "fast") => Promise<Bytes>;
  /** Piece by piece, while it is made and sent. */
  readonly packPieces: (pieces: AsyncIterable<Bytes>) => AsyncIterable<Uint8Array>;
}

/** The smaller one first. Browsers accept Brotli over https and on localhost only. */
export const CODINGS = findCodings();

function findCodings(): readonly Coding[] {
  const zlib = builtinModule?.<typeof import("node:zlib")>("node:zlib");
  const stream = builtinModule?.<typeof import("node:stream")>("node:stream");
  return zlib && stream ? nodeCodings(zlib, stream) : [platformGzip()];
}

/** Without Brotli, which no browser makes. */
function platformGzip(): Coding {
  return {
    name: "gzip",
    pack: async (bytes) =>
      new Uint8Array(await new Response(gzipped(new Blob([bytes]).stream())).arrayBuffer()),
    packPieces: (pieces) => readAll(gzipped(new ByteStream(pieces).stream())),
  };
}

function gzipped(stream: ReadableStream<Bytes>): ReadableStream<Uint8Array> {
  return stream.pipeThrough(new CompressionStream("gzip"));
}

/** Brotli's best quality takes a second per half a megabyte, which nobody should wait for with larger files. */
const BEST_BYTES = 200_000;
const [BEST_QUALITY, FAST_QUALITY] = [11, 6];
/** While an answer is sent: here Brotli takes as long as gzip and makes a third of the bytes. */
const SENT_QUALITY = 3;

function nodeCodings(
  zlib: typeof import("node:zlib"),
  { pipeline, Readable }: typeof import("node:stream"),
): readonly Coding[] {
  const { brotliCompress, constants, createBrotliCompress, createGzip, gzip } = zlib;
  const brotli = (quality: number) => ({ params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  return [
    {
      name: "br",
      pack: (bytes, effort) => {
        const isBest = effort === "best" && bytes.length <= BEST_BYTES;
        return called((done) => brotliCompress(bytes, brotli(isBest ? BEST_QUALITY : FAST_QUALITY), done));
      },
      packPieces: (pieces) => packPieces(pieces, createBrotliCompress(brotli(SENT_QUALITY))),
    },
    {
      name: "gzip",
      pack: (bytes, effort) => called((done) => gzip(bytes, effort === "best" ? { level: 9 } : {}, done)),
      packPieces: (pieces) => packPieces(pieces, createGzip()),
    },
  ];

  async function* packPieces(
    pieces: AsyncIterable<Bytes>,
    packer: import("node:stream").Transform,
  ): AsyncGenerator<Uint8Array> {
    // An error in the pieces ends the packer, and tells the reader.
    pipeline(Readable.from(pieces), packer, () => {});
    try {
      for await (const piece of packer) yield piece as Uint8Array;
    } finally {
      packer.destroy();
    }
  }
}

function called(call: (done: (error: Error | null, packed: Uint8Array) => void) => void): Promise<Bytes> {
  return new Promise((resolve, reject) => {
    call((error, packed) => (error ? reject(error) : resolve(ownBytes(packed))));
  });
}
