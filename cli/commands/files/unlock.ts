import { dirname, join } from "node:path";
import type { Bytes } from "../../../wire/bytes.ts";
import { defineCommand, shared } from "../../definition.ts";
import { readInput, STANDARD, streamInput } from "../../files/input.ts";
import { isDrafted } from "../../files/output.ts";
import { checkResult, finishPieces } from "../../files/result.ts";
import { connectChosen } from "../../server/connect.ts";
import type { Io } from "../../terminal/io.ts";
import { readPassword } from "../../terminal/passwords.ts";

export function unlockCommand(io: Io) {
  return defineCommand("unlock", {
    summary: "Decrypt a locked file",
    description:
      "Opens what `hushkit lock`, the page or the server locked. Without -o the result gets the name that is kept " +
      "inside, beside the locked file. (For the password of a PDF see `hushkit pdf unlock`.)",
    examples: ["hushkit unlock tax.pdf.locked", "hushkit unlock photos.tar.locked -o - | tar x"],
  })
    .argument("<file>", 'the locked file; "-" is standard input')
    .addOption(shared.output())
    .addOption(shared.force())
    .addOption(shared.passwordFd())
    .addOption(shared.server())
    .addOption(shared.json())
    .action(async (file, { output, force, json, server, passwordFd }) => {
      const known = output ?? (file === STANDARD ? STANDARD : undefined);
      if (known !== undefined) await checkResult(io, { path: known, force, json });
      const password = await readPassword(io, { question: "Password", passwordFd });
      const { pieces, ...unlocked } = await (server ? unlockThere : unlockHere)(io, { file, password });
      const kind = { tool: "file-encrypt", type: "application/octet-stream", direction: "unlock" };
      const path = known ?? join(dirname(file), unlocked.filename);
      const about = { ...kind, ...unlocked, warnings: [] };
      // What goes on at once, as into a pipe, must be whole before it does.
      const whole = (await isDrafted(io, path)) ? pieces : only(await collect(pieces));
      await finishPieces(io, { path, force, json, pieces: whole, about });
    });
}

interface Unlocking {
  readonly file: string;
  readonly password: string;
}

interface Unlocked {
  readonly pieces: AsyncIterable<Bytes>;
  readonly filename: string;
  readonly iterations: number;
  readonly containerVersion: number;
}

async function unlockHere(io: Io, { file, password }: Unlocking): Promise<Unlocked> {
  const { unlockToPieces } = await import("../../../tools/crypto/unlock-file.ts");
  return unlockToPieces(streamInput(io, file), { password });
}

async function unlockThere(io: Io, { file, password }: Unlocking): Promise<Unlocked> {
  const client = await connectChosen(io);
  const input = { file: await readInput(io, file), direction: "unlock", password } as const;
  const { data, filename, iterations, containerVersion } = await client.tools.fileEncrypt.mutate(input);
  // A server that is not to be trusted must not choose a folder.
  const { cleanFileName } = await import("../../../tools/file/file-name.ts");
  const name = cleanFileName(filename, { fallback: "unlocked.bin", keepsDot: true });
  return { pieces: only(data), filename: name, iterations, containerVersion };
}

async function collect(pieces: AsyncIterable<Bytes>): Promise<Bytes> {
  return (await import("../../../tools/crypto/chunks.ts")).collectBytes(pieces);
}

async function* only(bytes: Bytes): AsyncGenerator<Bytes> {
  yield bytes;
}
