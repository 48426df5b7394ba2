import { createHash } from "node:crypto";
import { basename } from "node:path";
import { type Bytes, freeBytes } from "../../wire/bytes.ts";
import {
  type DescribedWarning,
  describeWarnings,
  isWarningCode,
  type ToolWarning,
  warningSentence,
} from "../../wire/tool-warning.ts";
import { usageError } from "../exit.ts";
import { noteSize, printJson, warn, type Io } from "../terminal/io.ts";
import { STANDARD } from "./input.ts";
import { checkOutput, fillOutput, startOutput, writeOutput } from "./output.ts";

/** Written at a time: single pieces of 64 KiB take twice as long. */
const WRITTEN_BYTES = 2 ** 20;
const WRITTEN_PIECES = 1024;

/** The facts about a file that every tool returns, here and on the server. */
export interface DescribedFile {
  readonly tool: string;
  readonly type: string;
  readonly size: number;
  readonly data: Bytes;
  /** The server always returns it; here it is computed only for --json. */
  readonly sha256?: string;
  readonly warnings: readonly DescribedWarning[];
}

/** The facts about a file that was made on this machine. */
export function describeFile<Extras extends { warnings: readonly ToolWarning[] }>(
  file: Pick<DescribedFile, "tool" | "type" | "data">,
  extras: Extras,
  fileCount?: number,
) {
  return {
    ...file,
    size: file.data.length,
    ...extras,
    warnings: describeWarnings(extras.warnings, fileCount),
  };
}

export interface ResultOptions {
  readonly path: string;
  readonly force?: boolean | undefined;
  readonly json?: boolean | undefined;
  /** Text may go to a terminal. */
  readonly isText?: boolean | undefined;
}

/** Checks before the work that the result can be written. @throws CliError usage */
export async function checkResult(io: Io, { path, force, json, isText }: ResultOptions): Promise<void> {
  await checkOutput(io, { path, force, isText });
  if (path !== STANDARD || !json) return;
  throw usageError("--json writes to standard output too; name a file with -o FILE.");
}

/** Writes the file of a tool, and prints what the options ask for. */
export async function finishFile(
  io: Io,
  { path, force, json, isText, result }: ResultOptions & { result: DescribedFile },
): Promise<void> {
  const { data, tool, type, size, sha256 = json && digestOf(data), ...facts } = result;
  await writeOutput(io, { path, force, isText, bytes: data });
  await warn(io, result.warnings.map(formatWarning));
  await tellResult(io, { path, json }, { tool, type, size, sha256, ...facts });
}

function digestOf(data: Bytes): string {
  return createHash("sha256").update(data).digest("hex");
}

// A newer server may send codes that this version does not know.
function formatWarning(warning: DescribedWarning): string {
  if (!isWarningCode(warning.code)) return warning.message;
  const name = warning.file?.name;
  return `${name === undefined ? "" : `${name}: `}${warningSentence(warning)}`;
}

/** Writes a file that is made piece by piece, and prints what the options ask for; its tool says what else to print. */
export async function finishPieces(
  io: Io,
  of: ResultOptions & {
    /** Nothing else uses these buffers, so each is given away. */
    pieces: AsyncIterable<Bytes>;
    about: { readonly tool: string; readonly type: string; readonly [fact: string]: unknown };
  },
): Promise<void> {
  const { path, force, json, isText, pieces } = of;
  const { tool, type, ...extras } = of.about;
  // Hashing takes a fifth of the time of locking, and only JSON shows it.
  const digest = json ? createHash("sha256") : undefined;
  let size = 0;
  await fillOutput(await startOutput(io, { path, force, isText }), async (write) => {
    let writing = Promise.resolve();
    for await (const gathered of gather(pieces)) {
      for (const piece of gathered) {
        size += piece.length;
        digest?.update(piece);
      }
      await writing;
      writing = write(...gathered).then(() => gathered.forEach(freeBytes));
      // A failure is thrown when its turn comes; without a handler until then, it would end the process.
      writing.catch(() => undefined);
    }
    await writing;
  });
  await tellResult(io, { path, json }, { tool, type, size, sha256: digest?.digest("hex"), ...extras });
}

async function tellResult(
  io: Io,
  { path, json }: Pick<ResultOptions, "path" | "json">,
  about: { readonly size: number; readonly [fact: string]: unknown },
): Promise<void> {
  if (json) await printJson(io, { ...about, name: basename(path) });
  else if (path !== STANDARD) await noteSize(io, path, about.size);
}

/** Pieces together that are worth a write; the next are made while these are written. */
async function* gather(pieces: AsyncIterable<Bytes>): AsyncGenerator<readonly Bytes[], void> {
  let held: Bytes[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    held.push(piece);
    bytes += piece.length;
    if (bytes < WRITTEN_BYTES && held.length < WRITTEN_PIECES) continue;
    yield held;
    [held, bytes] = [[], 0];
  }
  if (held.length > 0) yield held;
}
