import { z } from "zod";
import { concatBytes, freeBytes, type Bytes } from "../../wire/bytes.ts";
import { lockedFileName, lockedSize, lockFile, unlockFile } from "../../tools/file-encrypt.ts";
import { hashFile } from "../../tools/file-hash.ts";
import { PBKDF2_ITERATIONS } from "../../tools/crypto/key-derivation.ts";
import type { Context } from "../context.ts";
import { checkedFileSizes, toolProcedure } from "../trpc.ts";
import { byteStream, fileResult, makeFile, secretText } from "../schemas.ts";

export const fileHash = toolProcedure
  .meta({
    openapi: {
      method: "POST",
      path: "/api/tools/file-hash",
      summary: "Digests of a file",
      description: "Computes digests of the file and, with `expected`, says whether one matches.",
      tags: ["tools"],
      protect: false,
    },
    http: { body: "stream", result: "json" },
    tool: { name: "file-hash", title: "Checksum", weight: 0.1 },
    errors: [400, 401, 413, 415, 429, 503],
  })
  .input(
    z.object({
      file: byteStream("The file; an empty one has a digest too"),
      algorithms: z
        .array(z.enum(["md5", "sha1", "sha256"]))
        .min(1)
        .default(["sha256"])
        .describe("Digests to compute, separated by commas"),
      expected: z
        .string()
        .max(1024)
        .optional()
        .describe(
          "Checksum to compare: hexadecimal, sha256:hex, sha256-base64, or a line of sha256sum or BSD",
        ),
    }),
  )
  .use(checkedFileSizes)
  .output(
    z.object({
      size: z.int().describe("Size of the file in bytes"),
      digests: z.record(z.string(), z.string()).describe("Digests in hexadecimal by algorithm"),
      expected: z.string().optional().describe("The expected checksum as it was read"),
      matches: z.boolean().optional().describe("Whether a digest equals the expected one"),
      matchedAlgorithm: z.string().nullable().optional().describe("The algorithm whose digest matched"),
    }),
  )
  .mutation(({ input: { file, algorithms, expected } }) =>
    hashFile(freeing(file), { algorithms, ...(expected === undefined ? {} : { expected }) }),
  );

async function* freeing(source: Bytes | AsyncIterable<Bytes>): AsyncGenerator<Bytes> {
  if (source instanceof Uint8Array) return yield source;
  for await (const piece of source) {
    yield piece;
    freeBytes(piece);
  }
}

const OCTETS = "application/octet-stream";
const CONTAINER_VERSION = 1;

export const fileEncrypt = toolProcedure
  .meta({
    openapi: {
      method: "POST",
      path: "/api/tools/file-encrypt",
      summary: "Lock a file under a password, or open it",
      description:
        "AES-256-GCM under a key from PBKDF2 with SHA-256 over 600,000 rounds. The same container as in the browser; " +
        "without the password nobody opens it.",
      tags: ["tools"],
      protect: false,
    },
    http: { body: "stream", result: "file" },
    tool: { name: "file-encrypt", title: "Encrypt a file", types: [OCTETS], weight: 2 },
    errors: [400, 401, 413, 415, 422, 429, 503],
  })
  .input(
    z.object({
      file: byteStream("The file to lock, which may be empty, or the locked one to open"),
      direction: z.enum(["lock", "unlock"]).default("lock").describe("lock encrypts, unlock decrypts"),
      password: secretText("The password; no recovery exists"),
      filename: z
        .string()
        .max(1024)
        .optional()
        .describe("Original name, stored inside the container and given back on unlock"),
    }),
  )
  .use(checkedFileSizes)
  .output(
    fileResult({
      direction: z.enum(["lock", "unlock"]),
      filename: z.string().describe("The original name"),
      iterations: z.int().describe("Rounds of PBKDF2"),
      containerVersion: z.int(),
    }),
  )
  .mutation(({ input, ctx }) => (input.direction === "lock" ? lock(input, ctx) : unlock(input, ctx)));

interface Given {
  readonly file: Bytes | AsyncIterable<Bytes>;
  readonly password: string;
  readonly filename?: string | undefined;
}

async function lock({ file, password, filename = "" }: Given, { services, declaredBytes }: Context) {
  const pieces = lockFile(file, { password, filename, limiter: services.heavyWork });
  const size = file instanceof Uint8Array ? file.length : declaredBytes;
  const data = await collect(pieces, { expected: size === undefined ? undefined : lockedSize(size) });
  const extras = { direction: "lock" as const, filename, iterations: PBKDF2_ITERATIONS, ...VERSION };
  return makeLocked({ name: lockedFileName(filename), data, extras });
}

async function unlock({ file, password }: Given, { services }: Context) {
  const { bytes: data, ...extras } = await unlockFile(file, { password, limiter: services.heavyWork });
  return makeLocked({ name: extras.filename, data, extras: { direction: "unlock" as const, ...extras } });
}

const VERSION = { containerVersion: CONTAINER_VERSION };

async function makeLocked<Extras>(made: { name: string; data: Bytes; extras: Extras }) {
  const common = { tool: "file-encrypt", type: OCTETS, filename: undefined, extension: "bin" };
  const { name, data, extras } = made;
  return makeFile({ ...common, data, fallback: name, extras: { ...extras, warnings: [] } });
}

// The container is written where it will stay: the plain text of a large file is not kept beside it.
async function collect(
  pieces: AsyncIterable<Bytes>,
  { expected }: { expected: number | undefined },
): Promise<Bytes> {
  const whole = new Uint8Array(expected ?? 0);
  const rest: Bytes[] = [];
  let length = 0;
  for await (const piece of pieces) {
    if (length + piece.length <= whole.length) whole.set(piece, length);
    else rest.push(piece);
    length += piece.length;
  }
  return rest.length === 0 && length === whole.length
    ? whole
    : concatBytes(whole.subarray(0, length - sum(rest)), ...rest);
}

function sum(parts: readonly Bytes[]): number {
  return parts.reduce((total, { length }) => total + length, 0);
}
