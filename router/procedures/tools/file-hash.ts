import { z } from "zod";
import { piecesOf, type FileSource } from "../../../wire/byte-pieces.ts";
import { sentNameOf, freeBytes, type Bytes } from "../../../wire/bytes.ts";
import { HASH_ALGORITHMS, hashFile, type HashFileOptions } from "../../../tools/file-hash.ts";
import { MAX_CHECKSUM_LENGTH, type Limits, type Tier } from "../../limits.ts";
import { toolMeta } from "../../meta.ts";
import { checkedFileSizes, toolProcedure } from "../../trpc.ts";
import { fileName, fileSource } from "../../schemas.ts";
import { boundedPieces, inTurns } from "./bounded-file.ts";
import { EXAMPLE } from "../examples.ts";

export const fileHash = toolProcedure
  .meta(
    toolMeta({
      name: "file-hash",
      title: "Checksum",
      summary: "Digests of a file",
      description:
        "Computes digests of the file. With `expected` it also reports whether one of them matches.",
      body: "stream",
      result: "json",
      weight: 0.4,
      measured: "file-hash of 24 MB: 0.04 to 0.36",
      examples: { "Result.digests": { sha256: EXAMPLE.sha256 } },
    }),
  )
  .input(
    z.object({
      file: fileSource("The file; it may be empty"),
      algorithms: z
        .array(z.enum(HASH_ALGORITHMS))
        .min(1)
        .default(["sha256"])
        .describe("Algorithms to compute, separated by commas"),
      expected: z
        .string()
        .max(MAX_CHECKSUM_LENGTH)
        .optional()
        .describe(
          "Checksum to compare: hexadecimal, sha256:hex, sha256-base64, Repr-Digest, a line of sha256sum or BSD, what " +
            "certutil prints, or a whole SHA256SUMS file; if there are several, one match is enough",
        ),
      filename: fileName("Name of the file: of several checksums in expected, one for this name decides"),
    }) satisfies z.ZodType<HashFileOptions>,
  )
  .use(checkedFileSizes)
  .output(
    z.object({
      size: z.int().describe("Size of the file in bytes"),
      digests: z.record(z.string(), z.string()).describe("Digests in hexadecimal by algorithm"),
      expected: z.string().optional().describe("The expected checksum, in hexadecimal"),
      matches: z.boolean().optional().describe("Whether a digest equals the expected one"),
      matchedAlgorithm: z.string().nullable().optional().describe("The algorithm whose digest matched"),
    }),
  )
  .mutation(({ input: { file, filename = sentNameOf(file), ...options }, ctx: { caller, services } }) =>
    hashFile(inTurns(freePieces(file, caller.tier, services.limits), timesOf(options)), {
      ...options,
      filename,
    }),
  );

// An expected checksum may be of any algorithm, and then each is computed.
function timesOf({ algorithms, expected }: { algorithms: readonly string[]; expected?: string | undefined }) {
  return expected === undefined ? algorithms.length : HASH_ALGORITHMS.length;
}

async function* freePieces(source: FileSource, tier: Tier, limits: Limits): AsyncGenerator<Bytes> {
  if (source instanceof Uint8Array) return yield source;
  const bounds = { limit: limits[tier].fileSize, tier, limits };
  for await (const piece of boundedPieces(piecesOf(source), bounds)) {
    yield piece;
    freeBytes(piece);
  }
}
