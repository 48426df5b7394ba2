import { z } from "zod";
import { isAge, isArmored } from "../../../tools/age/age-file.ts";
import { collectBytes } from "../../../tools/crypto/chunks.ts";
import { PBKDF2_ITERATIONS, type Limiter } from "../../../tools/crypto/key-derivation.ts";
import { lockedFileName, lockedSize, lockFile } from "../../../tools/file-encrypt.ts";
import { cleanFileName } from "../../../tools/file/file-name.ts";
import { finishPieces } from "../../../tools/file/finish-file.ts";
import { piecesOf, type FileSource } from "../../../wire/byte-pieces.ts";
import { sentNameOf, type Bytes } from "../../../wire/bytes.ts";
import type { CallerContext } from "../../context.ts";
import { ApiError, fileTooLarge } from "../../errors/errors.ts";
import type { Limits, Tier } from "../../limits.ts";
import { requesterOf } from "../../policy/count.ts";
import { toolMeta } from "../../meta.ts";
import { toolProcedure } from "../../trpc.ts";
import { fileName, fileResult, fileSource, secretText } from "../../schemas.ts";
import { boundedPieces, inTurns } from "./bounded-file.ts";
import { EXAMPLE } from "../examples.ts";

const TOOL = "file-encrypt";
const OCTETS = "application/octet-stream";
const CONTAINER_VERSION = 1;
const WEIGHT = 3.2;
const MAX_KEYS_LENGTH = 262_144;
/** The most that an age file's passphrase may cost here: what the age program itself uses. */
const WORK_FACTOR = 18;
/** The memory that scrypt needs for that (RFC 7914: 128 * r * N bytes, with r = 8). */
const SCRYPT_BYTES = 1024 * 2 ** WORK_FACTOR;

const input = z.object({
  file: fileSource("The file to lock (it may be empty), or the locked file to unlock"),
  direction: z.enum(["lock", "unlock"]).default("lock").describe("lock encrypts, unlock decrypts"),
  format: z
    .enum(["locked", "age"])
    .optional()
    .describe(
      "For locking: the container of this service (locked), or that of age-encryption.org; age where recipients are " +
        "given, else locked. Unlocking sees it by itself",
    ),
  password: secretText(
    "The password; a lost one cannot be recovered. Needed but for age recipients",
  ).optional(),
  recipients: z
    .string()
    .max(MAX_KEYS_LENGTH)
    .optional()
    .describe("Public keys that an age file is locked for, one in a line: age1…"),
  armor: z.boolean().default(false).describe("Whether an age file is written as text"),
  identities: secretText("Secret keys that open an age file, one in a line: AGE-SECRET-KEY-1…").optional(),
  filename: fileName(
    "Original file name, at most 255 bytes, stored inside the container and returned on unlock; an age file stores " +
      "none, and unlocking takes it from here without .age",
  ),
});

type Input = z.infer<typeof input>;

export const fileEncrypt = toolProcedure
  .meta(
    toolMeta({
      name: TOOL,
      title: "Encrypt a file",
      summary: "Lock a file with a password or for recipients, or unlock it",
      description:
        `AES-256-GCM with a key from PBKDF2-SHA-256 (${PBKDF2_ITERATIONS.toLocaleString("en-US")} rounds), or the format of ` +
        "age, for recipients or with a passphrase. The browser tool uses the same containers. Without the password or an " +
        "identity it cannot be opened.",
      body: "stream",
      result: "file",
      types: [OCTETS],
      weight: WEIGHT,
      measured: "file-encrypt of 60 MB of random bytes: 1.44, and 3.18 to unlock them in a worker",
      containerSize: lockedSize,
      errors: [422],
      examples: { "Form.password": EXAMPLE.password, "Envelope.name": "report.pdf.locked" },
    }),
  )
  .input(input)
  .output(
    fileResult({
      direction: z.enum(["lock", "unlock"]),
      format: z.enum(["locked", "age"]).describe("The kind of container"),
      filename: z.string().describe("The original file name"),
      iterations: z.int().optional().describe("Rounds of PBKDF2; age has none"),
      containerVersion: z.int().optional().describe("Version of this service's container"),
    }),
  )
  .mutation(async ({ input, ctx, signal }) => {
    checkOptions(input);
    const file = boundedFile(input, ctx.caller.tier, ctx.services.limits);
    const call = { ...input, filename: input.filename ?? sentName(input), file, ctx, signal };
    if (input.direction === "unlock") return unlock(call);
    const isAgeFile = input.format === "age" || input.recipients !== undefined;
    return isAgeFile ? lockForAge(call) : lock(call);
  });

/** The name that the file was sent with, which is no longer than a container can store. */
function sentName({ file }: Input): string | undefined {
  const name = sentNameOf(file);
  return name === undefined ? undefined : cleanFileName(name, { fallback: "", keepsDot: true });
}

const ONLY_FOR = {
  format: ["lock", "Unlocking sees by itself how a file was locked"],
  recipients: ["lock", "A file is unlocked with a password or identities"],
  armor: ["lock", "Unlocking sees by itself whether a file is armored"],
  identities: ["unlock", "A file is locked with a password or for recipients"],
} as const;

/** Refuses an option without effect, because its sender expects one. */
function checkOptions(sent: Input): void {
  for (const [parameter, [direction, why]] of Object.entries(ONLY_FOR)) {
    const value = sent[parameter as keyof typeof ONLY_FOR];
    if (value && direction !== sent.direction) throw useless(parameter, why);
  }
  if (sent.direction === "unlock") return;
  if (sent.recipients !== undefined && sent.format === "locked")
    throw useless("recipients", "Only format=age is locked for recipients");
  if (sent.armor && sent.recipients === undefined && sent.format !== "age")
    throw useless("armor", "Only format=age can be text");
}

function useless(parameter: string, why: string): ApiError {
  return new ApiError("invalid_parameter", `"${parameter}" does nothing here. ${why}`, { parameter });
}

type FileBytes = Bytes | AsyncIterable<Bytes>;

// The limit applies to the content. A container with as much content is larger, and REST cannot tell it from a plain
// file before it is read.
function boundedFile(
  { file, direction }: { file: FileSource; direction: "lock" | "unlock" },
  tier: Tier,
  limits: Limits,
): FileBytes {
  const { fileSize } = limits[tier];
  const limit = direction === "unlock" ? lockedSize(fileSize) : fileSize;
  if (!(file instanceof Uint8Array)) return boundedPieces(piecesOf(file), { limit, tier, limits });
  if (file.length > limit) throw fileTooLarge(limits, { tier, actual: file.length });
  return file;
}

interface EncryptCall extends Omit<Input, "file"> {
  readonly file: FileBytes;
  readonly ctx: CallerContext;
  readonly signal: AbortSignal | undefined;
}

async function lock({ file, password, filename = "", ctx, signal }: EncryptCall) {
  const limiter: Limiter = (work) => ctx.services.lanes.fileLocks.run(requesterOf(ctx, signal), work);
  // The runtime's cipher never waits, and neither does a file that has arrived completely.
  const pieces = inTurns(lockFile(file, { password, filename, limiter }), 1, Infinity);
  const size = file instanceof Uint8Array ? file.length : ctx.declaredBytes;
  const sizeBytes = size === undefined ? undefined : lockedSize(size);
  const kind = { name: lockedFileName(filename), type: OCTETS };
  const facts = { iterations: PBKDF2_ITERATIONS, containerVersion: CONTAINER_VERSION };
  const made = await finishPieces(pieces, { ...kind, sizeBytes });
  return { tool: TOOL, direction: "lock" as const, format: "locked" as const, filename, ...facts, ...made };
}

async function lockForAge(call: EncryptCall) {
  const { password, recipients, armor, filename = "", ctx, signal } = call;
  const file = await readWhole(call);
  if (recipients === undefined) claimScrypt(call, file);
  const options = { password, recipients, armor, filename };
  const run = ctx.services.runJob("lockAge", [file, options], requesterOf(ctx, signal));
  return { tool: TOOL, direction: "lock" as const, format: "age" as const, filename, ...(await run) };
}

// Containers are decrypted in a worker.
async function unlock(call: EncryptCall) {
  const { password, identities, filename, ctx, signal } = call;
  const locked = await readWhole(call);
  if (password && (isAge(locked) || isArmored(locked))) claimScrypt(call, locked);
  const options = { password, identities, filename, maxWorkFactor: WORK_FACTOR };
  const run = ctx.services.runJob("unlockFile", [locked, options], requesterOf(ctx, signal));
  return { tool: TOOL, direction: "unlock" as const, ...(await run) };
}

async function readWhole({ file, ctx }: EncryptCall): Promise<Bytes> {
  return file instanceof Uint8Array ? file : collectBytes(file, ctx.declaredBytes);
}

/** An age file's passphrase takes 256 MiB in addition to the file. */
function claimScrypt({ ctx }: EncryptCall, file: Bytes): void {
  ctx.budget.claimMemory(Math.ceil(WEIGHT * file.length) + SCRYPT_BYTES);
}
