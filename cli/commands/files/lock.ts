import { basename } from "node:path";
import { defineCommand, shared } from "../../definition.ts";
import { readInput, STANDARD, streamInput } from "../../files/input.ts";
import { checkOutput, writeOutput } from "../../files/output.ts";
import { checkResult, finishFile } from "../../files/result.ts";
import { connectChosen } from "../../server/connect.ts";
import { note, type Io } from "../../terminal/io.ts";
import { readPassword } from "../../terminal/passwords.ts";

export function lockCommand(io: Io) {
  return defineCommand("lock", {
    summary: "Encrypt a file with a password",
    description:
      "The page of the server and `hushkit unlock` open it again; without the password nobody does. The name of the " +
      "file is kept inside. Without -o the result has the name of the file with .locked after it.",
    examples: ["hushkit lock tax.pdf", "tar c photos | hushkit lock - -o photos.tar.locked"],
  })
    .argument("<file>", 'the file; "-" is standard input')
    .addOption(shared.output())
    .addOption(shared.force())
    .addOption(shared.passwordFd())
    .addOption(shared.server())
    .action(async (file, { output, force, server, passwordFd }) => {
      const path = output ?? (file === STANDARD ? STANDARD : `${file}.locked`);
      await checkOutput(io, { path, force });
      const password = await readPassword(io, { question: "Password", passwordFd, isNew: true });
      const filename = file === STANDARD ? "" : basename(file);
      if (server) return lockThere(io, { file, path, force, password, filename });
      const { lockFile } = await import("../../../tools/file-encrypt.ts");
      const bytes = lockFile(streamInput(io, file), { password, filename });
      await writeOutput(io, { path, force, bytes });
      if (path !== STANDARD) await note(io, `${path}: locked`);
    });
}

interface Locking {
  readonly file: string;
  readonly path: string;
  readonly force: true | undefined;
  readonly password: string;
  readonly filename: string;
}

async function lockThere(io: Io, { file, path, force, password, filename }: Locking): Promise<void> {
  const client = await connectChosen(io);
  const result = await client.tools.fileEncrypt.mutate({
    file: await readInput(io, file),
    direction: "lock",
    password,
    filename,
  });
  await checkResult(io, { path, force });
  await finishFile(io, { path, force, result });
}
