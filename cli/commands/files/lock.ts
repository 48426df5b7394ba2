import { basename, dirname, join } from "node:path";
import type { LockAgeOptions } from "../../../tools/age/lock-age.ts";
import type { ZipFile } from "../../../tools/zip/zip.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { usageError } from "../../exit.ts";
import { addValue, defineCommand, shared } from "../../definition.ts";
import {
  checkInputs,
  nameChanged,
  readTextInput,
  passInput,
  repeatableInput,
  STANDARD,
} from "../../files/input.ts";
import { isNameless, resultPath } from "../../files/output.ts";
import { checkResult, finishFile, finishPieces, type ResultOptions } from "../../files/result.ts";
import { connectChosen } from "../../server/connect.ts";
import type { Io } from "../../terminal/io.ts";
import { readFilePassword, readPassword } from "../../terminal/passwords.ts";

const ZIP_NAME = "files.zip";

export function lockCommand(io: Io) {
  return defineCommand("lock", {
    summary: "Encrypt files with a password, or for somebody",
    description:
      "The page of the server and `hushkit unlock` open it again; without the password nobody does. The name of the " +
      "file is kept inside. Several files are locked as one ZIP. Without -o the result has the name of the file with " +
      ".locked after it, for several files files.zip.locked. With --age, -r or -R it is a file of age-encryption.org, which " +
      "the age program opens too, with .age after its name, which it does not keep inside.",
    examples: [
      "hushkit lock tax.pdf",
      "hushkit lock 2025.pdf 2026.pdf -o tax.zip.locked",
      "tar c photos | hushkit lock - -o photos.tar.locked",
      "hushkit lock --key-file ~/keys/home.key tax.pdf",
      "hushkit lock -r age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p tax.pdf",
      "hushkit lock -R colleagues.txt --armor notes.txt -o -",
    ],
  })
    .argument("<files...>", 'the files; "-" is standard input')
    .addOption(shared.output())
    .addOption(shared.force())
    .addOption(shared.passwordFd())
    .addOption(shared.keyFile())
    .addOption(shared.withPassword())
    .option("--age", "write the format of age, with a passphrase where no recipient is named")
    .option("-r, --recipient <key>", "lock it for this public key, age1…; may be repeated", addValue)
    .option(
      "-R, --recipients-file <file>",
      "lock it for the public keys in this file, one in a line; may be repeated",
      addValue,
    )
    .option("-a, --armor", "write an age file as text")
    .addOption(shared.server())
    .addOption(shared.json())
    .action(async (files, options) => {
      const { output, force, json, server } = options;
      const age = await readAgeOptions(io, { files, ...options });
      const whole = wholeOf(io, files, age ? ".age" : ".locked");
      const path = await resultPath(io, output, whole.path);
      const result = { path, force, json, isText: age?.armor };
      await checkResult(io, result);
      const password = age?.recipients === undefined ? await readNewPassword(io, options, age) : undefined;
      const { filename, isOwned } = whole;
      const locking = { source: await whole.open(), isOwned, password, filename, result, age };
      await (server ? lockThere : lockHere)(io, locking);
    });
}

interface KeyOptions {
  readonly age?: true | undefined;
  readonly recipient?: string[] | undefined;
  readonly recipientsFile?: string[] | undefined;
  readonly armor?: true | undefined;
  readonly keyFile?: string | undefined;
  readonly password?: true | undefined;
  readonly passwordFd?: number | undefined;
}

interface AgeOptions extends Pick<LockAgeOptions, "armor"> {
  /** Public keys, one in a line. */
  readonly recipients?: string | undefined;
}

/** The options of an age file; undefined for a container of our own. */
async function readAgeOptions(
  io: Io,
  options: KeyOptions & { files: readonly string[] },
): Promise<AgeOptions | undefined> {
  const { files, age, recipient = [], recipientsFile = [], armor, keyFile } = options;
  const isFor = recipient.length + recipientsFile.length > 0;
  if (!age && !isFor) {
    if (armor) throw usageError("--armor does nothing here: only age files can be text; add --age.");
    return undefined;
  }
  if (keyFile !== undefined)
    throw usageError("--key-file does nothing here: an age file takes a passphrase or recipients.");
  if (!isFor) return { armor };
  checkInputs([...files, ...recipientsFile]);
  const { readRecipients } = await import("../../../tools/age/keys.ts");
  const keys = recipient.flatMap((key) => readRecipients(key, "--recipient"));
  for (const file of recipientsFile) keys.push(...readRecipients(await readTextInput(io, file), file));
  const recipients = readRecipients(keys, "recipients").join("\n");
  return { recipients, armor };
}

/** The password that a key file stands for, or one that is asked for. */
function readNewPassword(io: Io, options: KeyOptions, age: AgeOptions | undefined): Promise<string> {
  const question = age ? "Passphrase" : "Password";
  const { passwordFd } = options;
  if (options.keyFile === undefined) return readPassword(io, { question, passwordFd, isNew: true });
  return readFilePassword(io, { ...options, keyFile: options.keyFile, isNew: true });
}

/** What is locked, the name kept inside, and where the result goes. */
function wholeOf(io: Io, files: readonly string[], extension: string) {
  const [first = STANDARD, ...more] = files;
  if (more.length > 0) {
    const path = join(isNameless(first) ? "" : dirname(first), `${ZIP_NAME}${extension}`);
    return { filename: ZIP_NAME, path, isOwned: true, open: () => zipInputs(io, files) };
  }
  const open = async () => passInput(io, first);
  const isOwned = first === STANDARD;
  if (isNameless(first)) return { filename: "", path: STANDARD, isOwned, open };
  return { filename: basename(first), path: `${first}${extension}`, isOwned, open };
}

async function zipInputs(io: Io, files: readonly string[]): Promise<AsyncGenerator<Bytes, void>> {
  const { zipFiles } = await import("../../../tools/zip/zip.ts");
  return nameChanged(zipFiles(readInTurn(io, files)), files);
}

async function* readInTurn(io: Io, files: readonly string[]): AsyncGenerator<ZipFile, void> {
  for (const path of files)
    yield { name: isNameless(path) ? "" : basename(path), ...(await repeatableInput(io, path)) };
}

interface LockInput {
  readonly source: AsyncIterable<Bytes>;
  /** Whether its pieces may be freed. */
  readonly isOwned: boolean;
  readonly password: string | undefined;
  readonly filename: string;
  readonly result: ResultOptions;
  readonly age: AgeOptions | undefined;
}

async function lockHere(
  io: Io,
  { source, isOwned, password, filename, result, age }: LockInput,
): Promise<void> {
  const kind = { tool: "file-encrypt", type: "application/octet-stream", direction: "lock", filename };
  if (age) {
    const { lockAgeFile } = await import("../../../tools/age/lock-age.ts");
    const pieces = lockAgeFile(source, { ...age, password, isOwned });
    return finishPieces(io, { ...result, pieces, about: { ...kind, format: "age", warnings: [] } });
  }
  const { lockFile } = await import("../../../tools/file-encrypt.ts");
  const { CONTAINER_VERSION } = await import("../../../tools/crypto/locked-file.ts");
  const { PBKDF2_ITERATIONS } = await import("../../../tools/crypto/key-derivation.ts");
  const pieces = lockFile(source, { password, filename, isOwned });
  const format = { format: "locked", iterations: PBKDF2_ITERATIONS, containerVersion: CONTAINER_VERSION };
  await finishPieces(io, { ...result, pieces, about: { ...kind, ...format, warnings: [] } });
}

async function lockThere(io: Io, { source, password, filename, result, age }: LockInput): Promise<void> {
  const client = await connectChosen(io);
  const { collectBytes } = await import("../../../tools/crypto/chunks.ts");
  const file = await collectBytes(source);
  const options = age && { format: "age" as const, ...age };
  const input = { file, direction: "lock" as const, filename, password, ...options };
  await finishFile(io, { ...result, result: await client.tools.fileEncrypt.mutate(input) });
}
