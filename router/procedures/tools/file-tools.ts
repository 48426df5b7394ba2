import { z } from "zod";
import { collectBytes } from "../../../tools/crypto/chunks.ts";
import { piecesOf, type FileSource } from "../../../wire/byte-stream.ts";
import { freeBytes, type Bytes } from "../../../wire/bytes.ts";
import { lockedFileName, lockedSize, lockFile, type LockOptions } from "../../../tools/file-encrypt.ts";
import { HASH_ALGORITHMS, hashFile, type HashFileOptions } from "../../../tools/file-hash.ts";
import { PBKDF2_ITERATIONS, type Limiter } from "../../../tools/crypto/key-derivation.ts";
import type { Context, Requester, Services } from "../../context.ts";
import { fileTooLarge } from "../../errors/errors.ts";
import { LIMITS, MAX_CHECKSUM_LENGTH, MAX_FILE_NAME_LENGTH, type Tier } from "../../limits.ts";
import { requesterOf } from "../../policy/count.ts";
import { toolMeta } from "../../meta.ts";
import { checkedFileSizes, toolProcedure } from "../../trpc.ts";
import { fileResult, fileSource, makeFileResult, secretText } from "../../schemas.ts";

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
            "certutil prints, or a whole SHA256SUMS file; of several, one that fits is a match",
        ),
      filename: z
        .string()
        .max(MAX_FILE_NAME_LENGTH)
        .optional()
        .describe("Name of the file: of several checksums in expected, one for this name decides"),
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
  .mutation(({ input: { file, ...options }, ctx: { caller } }) =>
    hashFile(freeing(file, caller.tier), options),
  );

async function* freeing(source: FileSource, tier: Tier): AsyncGenerator<Bytes> {
  if (source instanceof Uint8Array) return yield source;
  for await (const piece of boundedPieces(piecesOf(source), { limit: LIMITS[tier].fileSize, tier })) {
    yield piece;
    freeBytes(piece);
  }
}

const OCTETS = "application/octet-stream";
const CONTAINER_VERSION = 1;

export const fileEncrypt = toolProcedure
  .meta(
    toolMeta({
      name: "file-encrypt",
      title: "Encrypt a file",
      summary: "Lock a file with a password, or unlock it",
      description:
        `AES-256-GCM with a key from PBKDF2-SHA-256 (${PBKDF2_ITERATIONS.toLocaleString("en-US")} rounds). The browser tool ` +
        "uses the same container. Without the password it cannot be opened.",
      body: "stream",
      result: "file",
      types: [OCTETS],
      weight: 3.2,
      measured: "file-encrypt of 60 MB of random bytes: 1.44, and 3.18 to unlock them in a worker",
      containerSize: lockedSize,
      errors: [422],
    }),
  )
  .input(
    z.object({
      file: fileSource("The file to lock (it may be empty), or the locked file to unlock"),
      direction: z.enum(["lock", "unlock"]).default("lock").describe("lock encrypts, unlock decrypts"),
      password: secretText("The password; a lost one cannot be recovered"),
      filename: z
        .string()
        .max(MAX_FILE_NAME_LENGTH)
        .optional()
        .describe("Original file name, stored inside the container and returned on unlock"),
    }) satisfies z.ZodType<LockOptions>,
  )
  .output(
    fileResult({
      direction: z.enum(["lock", "unlock"]),
      filename: z.string().describe("The original file name"),
      iterations: z.int().describe("Rounds of PBKDF2"),
      containerVersion: z.int(),
    }),
  )
  .mutation(({ input, ctx, signal }) => {
    const { declaredBytes, services, caller } = ctx;
    const file = boundedFile(input, caller.tier);
    const requester = requesterOf(ctx, signal);
    if (input.direction === "unlock") return unlock({ ...input, file, declaredBytes, services, requester });
    const limiter: Limiter = (work) => services.lanes.fileLocks.run(requester, work);
    return lock({ ...input, file, declaredBytes, limiter });
  });

type FileBytes = Bytes | AsyncIterable<Bytes>;

// The limit is for the content. A container of as much content is larger, and REST cannot tell one from a plain
// file before it is read.
function boundedFile(
  { file, direction }: { file: FileSource; direction: "lock" | "unlock" },
  tier: Tier,
): FileBytes {
  const { fileSize } = LIMITS[tier];
  const limit = direction === "unlock" ? lockedSize(fileSize) : fileSize;
  if (!(file instanceof Uint8Array)) return boundedPieces(piecesOf(file), { limit, tier });
  if (file.length > limit) throw fileTooLarge(tier, file.length);
  return file;
}

async function* boundedPieces(
  pieces: AsyncIterable<Bytes>,
  { limit, tier }: { limit: number; tier: Tier },
): AsyncGenerator<Bytes> {
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > limit) throw fileTooLarge(tier);
    yield piece;
  }
}

interface FileInput extends Pick<Context, "declaredBytes"> {
  readonly file: FileBytes;
  readonly password: string;
}

async function lock(input: FileInput & { filename?: string | undefined; limiter: Limiter }) {
  const { file, password, filename = "", declaredBytes, limiter } = input;
  const pieces = lockFile(file, { password, filename, limiter });
  const size = file instanceof Uint8Array ? file.length : declaredBytes;
  const data = await collectBytes(pieces, size === undefined ? undefined : lockedSize(size));
  const extras = { direction: "lock" as const, filename, iterations: PBKDF2_ITERATIONS, ...VERSION };
  return makeLocked({ name: lockedFileName(filename), data, extras });
}

// What a container holds is read in a worker.
async function unlock(input: FileInput & { services: Services; requester: Requester }) {
  const { file, password, declaredBytes, services, requester } = input;
  const locked = file instanceof Uint8Array ? file : await collectBytes(file, declaredBytes);
  const { bytes: data, ...extras } = await services.runJob("unlockFile", [locked, { password }], requester);
  return makeLocked({ name: extras.filename, data, extras: { direction: "unlock" as const, ...extras } });
}

const VERSION = { containerVersion: CONTAINER_VERSION };

async function makeLocked<Extras>(made: { name: string; data: Bytes; extras: Extras }) {
  const common = { tool: "file-encrypt", type: OCTETS, filename: undefined, extension: "bin" };
  const { name, data, extras } = made;
  return makeFileResult({ ...common, data, fallback: name, extras: { ...extras, warnings: [] } });
}
