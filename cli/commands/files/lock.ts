import { basename, dirname, join } from "node:path";
import type { Bytes } from "../../../wire/bytes.ts";
import { defineCommand, shared } from "../../definition.ts";
import { STANDARD, streamInput } from "../../files/input.ts";
import { checkOutput, writeOutput } from "../../files/output.ts";
import { checkResult, finishFile } from "../../files/result.ts";
import { connectChosen } from "../../server/connect.ts";
import { note, type Io } from "../../terminal/io.ts";
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
    .action(async (files, { output, force, server, passwordFd }) => {
      const whole = wholeOf(io, files);
      const path = output ?? whole.path;
      await checkOutput(io, { path, force });
      const password = await readPassword(io, { question: "Password", passwordFd, isNew: true });
      const { filename } = whole;
      const source = await whole.open();
      if (server) return lockThere(io, { source, path, force, password, filename });
      const { lockFile } = await import("../../../tools/file-encrypt.ts");
      const bytes = lockFile(source, { password, filename });
      await writeOutput(io, { path, force, bytes });
      if (path !== STANDARD) await note(io, `${path}: locked`);
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
  const { zipFiles } = await import("../../../tools/zip.ts");
  return zipFiles(files.map((file) => ({ name: basename(file), source: streamInput(io, file) })));
}

interface Locking {
  readonly source: AsyncIterable<Bytes>;
  readonly path: string;
  readonly force: true | undefined;
  readonly password: string;
  readonly filename: string;
}

async function lockThere(io: Io, { source, path, force, password, filename }: Locking): Promise<void> {
  const client = await connectChosen(io);
  const { collectBytes } = await import("../../../tools/crypto/chunks.ts");
  const result = await client.tools.fileEncrypt.mutate({
    file: await collectBytes(source),
    direction: "lock",
    password,
    filename,
  });
  await checkResult(io, { path, force });
  await finishFile(io, { path, force, result });
}
