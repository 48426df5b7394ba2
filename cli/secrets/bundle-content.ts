import { basename, relative } from "node:path";
import type { ZipFile } from "../../tools/zip/zip.ts";
import { CliError, EXIT, usageError } from "../exit.ts";
import { isFolder, listFolder, unreadFolder } from "../files/folder.ts";
import { inputName, isMissing, nameChanged, readTextInput, STANDARD } from "../files/input.ts";
import { warn, type Io } from "../terminal/io.ts";
import { nothingIn, nothingToTrim, readFileContent, readStandard, type FileContent } from "./content.ts";

/**
 * Packs a message and several files into one; of a folder, all files below it, each named after its path.
 * @throws CliError usage, limit; ToolFailure as makeBundle does
 */
export async function readBundleContent(
  io: Io,
  operands: readonly string[],
  of: {
    /** The file with the text that is shown first. */
    readonly message: string | undefined;
    /** Whether the line end of a message from standard input is left out. */
    readonly trim: boolean | undefined;
    /** Called with the bytes of all files before the first of them is read. */
    readonly checkSize: (size: number) => Promise<void>;
  },
): Promise<FileContent> {
  const { message, trim, checkSize } = of;
  if (trim && message !== STANDARD) throw nothingToTrim();
  const found = await findFiles(io, operands);
  const { BUNDLE_TYPE, MAX_BUNDLE_FILES } = await import("../../tools/bundle/bundle-format.ts");
  if (found.length > MAX_BUNDLE_FILES) throw tooMany(found.length, MAX_BUNDLE_FILES);
  const text = message === undefined ? undefined : await readMessage(io, message, trim);
  const files: ZipFile[] = [];
  for (const { path, name } of found)
    files.push(path === STANDARD ? await readStandard(io) : { ...(await readFileContent(io, path)), name });
  await checkSize(files.reduce((sum, { size }) => sum + size, 0));
  const { makeBundle } = await import("../../tools/bundle/make-bundle.ts");
  const { size, pieces } = await makeBundle(files, { message: text });
  const paths = found.map(({ path }) => path);
  return { is: "file", name: "", type: BUNDLE_TYPE, size, read: () => nameChanged(pieces(), paths) };
}

interface FoundFile {
  readonly path: string;
  readonly name: string;
}

async function findFiles(io: Io, operands: readonly string[]): Promise<FoundFile[]> {
  const found: FoundFile[] = [];
  for (const path of operands) {
    const isAll = path !== STANDARD && isFolder(io, path);
    const own = isAll ? await findBelow(io, path) : [{ path, name: basename(path) }];
    for (const file of own) found.push(file);
  }
  return found;
}

async function findBelow(io: Io, folder: string): Promise<FoundFile[]> {
  const { files, others, unread } = await listFolder(io, folder);
  if (unread[0] !== undefined) throw unreadFolder(unread[0]);
  await warn(
    io,
    others.map((path) => `${inputName(path)}: left out, since this is not a file`),
  );
  if (files.length === 0) throw usageError(`${inputName(folder)}: there is no file in it.`);
  // A bundle has no folders, so 2026/a.jpg becomes 2026-a.jpg.
  return files.map((path) => ({ path, name: relative(folder, path).replaceAll(/[/\\]/g, "-") }));
}

async function readMessage(io: Io, path: string, trim: boolean | undefined): Promise<string> {
  if (path === STANDARD) {
    const { text } = await readStandard(io, { trim });
    if (text !== undefined) return text;
    throw usageError("-m, --message: standard input is not UTF-8 text.");
  }
  // A user who typed the message itself instead of a file name should not see it repeated.
  if (await isMissing(io, path))
    throw usageError('-m, --message takes the name of a file with the text, or "-" for standard input.');
  const text = await readTextInput(io, path);
  if (text === "") throw nothingIn(path);
  return text;
}

function tooMany(count: number, limit: number): CliError {
  const advice = "Pack them into one, such as: tar c FOLDER | hushkit send -";
  const message = `These are ${count} files; one link takes up to ${limit}. ${advice}`;
  return new CliError(EXIT.limit, message);
}
