import { basename, dirname, join } from "node:path";
import type { Bytes } from "../../../wire/bytes.ts";
import { defineCommand, shared } from "../../definition.ts";
import { STANDARD, streamInput } from "../../files/input.ts";
import { checkResult, finishFile, finishPieces, type ResultOptions } from "../../files/result.ts";
import { connectChosen } from "../../server/connect.ts";
import type { Io } from "../../terminal/io.ts";
import { readPassword } from "../../terminal/passwords.ts";

const ZIP_NAME = "files.zip";

export function lockCommand(io: Io) {
  return defineCommand("lock", {
    summary: "Encrypt files with a password",
    description:
      "The page of the server and `hushkit unlock` open it again; without the password nobody does. The name of the " +
      "file is kept inside. Several files are locked as one ZIP. Without -o the result has the name of the file with " +
      ".locked after it, for several files files.zip.locked.",
    examples: [
      "hushkit lock tax.pdf",
      "hushkit lock 2025.pdf 2026.pdf -o tax.zip.locked",
      "tar c photos | hushkit lock - -o photos.tar.locked",
    ],
  })
    .argument("<files...>", 'the files; "-" is standard input')
    .addOption(shared.output())
    .addOption(shared.force())
    .addOption(shared.passwordFd())
    .addOption(shared.server())
    .addOption(shared.json())
    .action(async (files, { output, force, json, server, passwordFd }) => {
      const whole = wholeOf(io, files);
      const result = { path: output ?? whole.path, force, json };
      await checkResult(io, result);
      const password = await readPassword(io, { question: "Password", passwordFd, isNew: true });
      const { filename } = whole;
      const source = await whole.open();
      await (server ? lockThere : lockHere)(io, { source, password, filename, result });
    });
}

/** What is locked, the name that is kept inside, and where the result stands. */
function wholeOf(io: Io, files: readonly string[]) {
  const [first = STANDARD, ...more] = files;
  if (more.length > 0) {
    const path = join(first === STANDARD ? "" : dirname(first), `${ZIP_NAME}.locked`);
    return { filename: ZIP_NAME, path, open: () => zipInputs(io, files) };
  }
  const open = async () => streamInput(io, first);
  if (first === STANDARD) return { filename: "", path: STANDARD, open };
  return { filename: basename(first), path: `${first}.locked`, open };
}

async function zipInputs(io: Io, files: readonly string[]) {
  const { zipFiles } = await import("../../../tools/zip/zip.ts");
  return zipFiles(files.map((file) => ({ name: basename(file), source: streamInput(io, file) })));
}

interface Locking {
  readonly source: AsyncIterable<Bytes>;
  readonly password: string;
  readonly filename: string;
  readonly result: ResultOptions;
}

async function lockHere(io: Io, { source, password, filename, result }: Locking): Promise<void> {
  const { lockFile } = await import("../../../tools/file-encrypt.ts");
  const { CONTAINER_VERSION } = await import("../../../tools/crypto/locked-file.ts");
  const { PBKDF2_ITERATIONS } = await import("../../../tools/crypto/key-derivation.ts");
  const pieces = lockFile(source, { password, filename });
  const kind = { tool: "file-encrypt", type: "application/octet-stream", direction: "lock", filename };
  const format = { iterations: PBKDF2_ITERATIONS, containerVersion: CONTAINER_VERSION, warnings: [] };
  await finishPieces(io, { ...result, pieces, about: { ...kind, ...format } });
}

async function lockThere(io: Io, { source, password, filename, result }: Locking): Promise<void> {
  const client = await connectChosen(io);
  const { collectBytes } = await import("../../../tools/crypto/chunks.ts");
  const file = await collectBytes(source);
  const made = await client.tools.fileEncrypt.mutate({ file, direction: "lock", password, filename });
  await finishFile(io, { ...result, result: made });
}
