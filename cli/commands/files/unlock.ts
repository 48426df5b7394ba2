import { basename, dirname, join } from "node:path";
import type { Bytes } from "../../../wire/bytes.ts";
import { CliError, EXIT } from "../../exit.ts";
import { addValue, defineCommand, shared } from "../../definition.ts";
import { checkInputs, once, passInput, readTextInput, STANDARD } from "../../files/input.ts";
import { agreeToName } from "../../files/given-name.ts";
import { isDrafted, isNameless, makeFolder, namesFolder } from "../../files/output.ts";
import { checkResult, finishPieces } from "../../files/result.ts";
import { connectChosen } from "../../server/connect.ts";
import type { Io } from "../../terminal/io.ts";
import { readFilePassword, readPassword } from "../../terminal/passwords.ts";

export function unlockCommand(io: Io) {
  return defineCommand("unlock", {
    summary: "Decrypt a locked file",
    description:
      "Opens what `hushkit lock`, the page or the server locked, and files of the age program. Without -o the result gets " +
      "the name that is kept inside, beside the locked file; of an age file the name without .age. Who locked it chose that " +
      "name: before one that begins with a dot, or under which a system may run the file, it asks. (For the password of a PDF see `hushkit pdf unlock`.)",
    examples: [
      "hushkit unlock tax.pdf.locked",
      "hushkit unlock photos.tar.locked -o - | tar x",
      "hushkit unlock --key-file ~/keys/home.key tax.pdf.locked",
      "hushkit unlock -i ~/keys/age.txt tax.pdf.age",
    ],
  })
    .argument("<file>", 'the locked file; "-" is standard input')
    .addOption(shared.output())
    .addOption(shared.force())
    .addOption(shared.anyName())
    .addOption(shared.passwordFd())
    .addOption(shared.keyFile())
    .addOption(shared.withPassword())
    .option(
      "-i, --identity <file>",
      "secret keys that open an age file, as age-keygen writes them; may be repeated",
      addValue,
    )
    .addOption(shared.server())
    .addOption(shared.json())
    .action(async (file, { output, force, anyName, json, server, ...keys }) => {
      const place = output ?? (isNameless(file) ? STANDARD : undefined);
      const isFolder = place !== undefined && namesFolder(io, place);
      const known = isFolder ? undefined : place;
      if (known !== undefined) await checkResult(io, { path: known, force, json });
      const input = passInput(io, file);
      try {
        const source = await peekInput(input);
        const options = {
          filename: basename(file),
          ...(await readKeys(io, { file, head: source.head, ...keys })),
        };
        const { pieces, ...unlocked } = await (server ? unlockThere : unlockHere)(io, { ...source, options });
        const kind = { tool: "file-encrypt", type: "application/octet-stream", direction: "unlock" };
        const folder = isFolder ? place : dirname(file);
        const path = known ?? join(folder, unlocked.filename);
        if (known === undefined) await agreeToName(io, { path, name: unlocked.filename, anyName });
        if (isFolder) await makeFolder(io, folder);
        const about = { ...kind, ...unlocked, warnings: [] };
        // What is passed on at once, as into a pipe, has to be complete and verified first.
        const whole = (await isDrafted(io, path)) ? pieces : once(await collect(pieces));
        await finishPieces(io, { path, force, json, pieces: whole, about });
      } finally {
        // A file that is refused is not read to its end.
        await input.return();
      }
    });
}

interface Keys {
  readonly passwordFd?: number | undefined;
  readonly keyFile?: string | undefined;
  readonly password?: true | undefined;
  readonly identity?: string[] | undefined;
}

/** The whole file, and its beginning, which tells what opens it. */
async function peekInput(input: AsyncIterable<Bytes>) {
  const { AGE_HEAD_BYTES } = await import("../../../tools/age/age-file.ts");
  const { peek } = await import("../../../tools/crypto/chunks.ts");
  const { takeArmor } = await import("../../../tools/age/armor.ts");
  const { head, whole } = await peek(input, AGE_HEAD_BYTES);
  return { head, whole: takeArmor(whole) };
}

/** Asks for a password only for a file that a password opens. */
async function readKeys(
  io: Io,
  { file, head, passwordFd, keyFile, password, identity }: Keys & { file: string; head: Bytes },
): Promise<{ password?: string; identities?: string }> {
  const { opensWith } = await import("../../../tools/age/age-file.ts");
  if (opensWith(head) === "password") {
    if (keyFile !== undefined)
      return { password: await readFilePassword(io, { keyFile, password, passwordFd }) };
    return { password: await readPassword(io, { question: "Password", passwordFd }) };
  }
  if (!identity) throw new CliError(EXIT.password, NEEDS_IDENTITY);
  checkInputs([file, ...identity]);
  const { readIdentities } = await import("../../../tools/age/keys.ts");
  const keys: string[] = [];
  for (const path of identity) keys.push(...readIdentities(await readTextInput(io, path), path));
  return { identities: keys.join("\n") };
}

const NEEDS_IDENTITY =
  "This age file is encrypted for recipients: give the file of your identity with --identity FILE.";

interface LockedInput {
  readonly whole: AsyncIterable<Bytes>;
  readonly options: { filename: string; password?: string; identities?: string };
}

interface UnlockResult {
  readonly pieces: AsyncIterable<Bytes>;
  readonly filename: string;
  readonly format: string;
  readonly iterations?: number | undefined;
  readonly containerVersion?: number | undefined;
}

async function unlockHere(_io: Io, { whole, options }: LockedInput): Promise<UnlockResult> {
  const { unlockToPieces } = await import("../../../tools/crypto/unlock-file.ts");
  return unlockToPieces(whole, { ...options, isOwned: false });
}

async function unlockThere(io: Io, { whole, options }: LockedInput): Promise<UnlockResult> {
  const client = await connectChosen(io);
  const input = { file: await collect(whole), direction: "unlock", ...options } as const;
  const { data, filename, format, iterations, containerVersion } =
    await client.tools.fileEncrypt.mutate(input);
  // An untrusted server must not choose a folder.
  const { cleanFileName } = await import("../../../tools/file/file-name.ts");
  const name = cleanFileName(filename, { fallback: "unlocked.bin", keepsDot: true });
  return { pieces: once(data), filename: name, format, iterations, containerVersion };
}

async function collect(pieces: AsyncIterable<Bytes>): Promise<Bytes> {
  return (await import("../../../tools/crypto/chunks.ts")).collectBytes(pieces);
}
