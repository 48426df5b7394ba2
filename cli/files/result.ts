import { basename } from "node:path";
import type { Bytes } from "../../wire/bytes.ts";
import { note, printJson, warn, type Io } from "../terminal/io.ts";
import { CliError, EXIT } from "../exit.ts";
import { STANDARD } from "./input.ts";
import { checkOutput, writeOutput } from "./output.ts";

/** What every tool that makes a file answers, here and on the server. */
export interface FileResult {
  readonly tool: string;
  readonly type: string;
  readonly size: number;
  readonly data: Bytes;
  readonly sha256: string;
  readonly warnings: readonly string[];
}

interface Made<Extras> {
  readonly tool: string;
  readonly type: string;
  readonly data: Bytes;
  readonly extras: Extras;
}

/** Says of bytes made here what the server says of those that it makes. */
export async function describeFile<Extras extends { warnings: readonly string[] }>(made: Made<Extras>) {
  const { hashFile } = await import("../../tools/file-hash.ts");
  const { tool, type, data, extras } = made;
  const { sha256 = "" } = (await hashFile(data, { algorithms: ["sha256"] })).digests;
  return { tool, type, size: data.length, data, sha256, ...extras };
}

export interface ResultOptions {
  readonly path: string;
  readonly force?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** Whether the result can be written, asked before the work. @throws CliError usage */
export async function checkResult(io: Io, { path, force, json }: ResultOptions): Promise<void> {
  await checkOutput(io, { path, force });
  if (path !== STANDARD || !json) return;
  throw new CliError(EXIT.usage, "--json writes to standard output too; name a file with -o FILE.");
}

/** Writes the file of a tool, and says of it what was asked for. */
export async function finishFile(
  io: Io,
  { path, force, json, result }: ResultOptions & { result: FileResult },
): Promise<void> {
  const { data, tool, ...about } = result;
  await writeOutput(io, { path, force, bytes: data });
  await warn(io, result.warnings);
  if (json) await printJson(io, { tool, ...about, name: basename(path) });
  else if (path !== STANDARD) await note(io, `${path}: ${result.size.toLocaleString("en-US")} bytes`);
}
