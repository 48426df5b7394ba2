import { lstat, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { CliError, codeOf, EXIT, usageError } from "../exit.ts";
import { isBelow } from "../files/folder.ts";
import { whyDangerous } from "../files/given-name.ts";
import { inputName } from "../files/input.ts";
import type { Io } from "../terminal/io.ts";

/** A path, and the parameter that contains it. */
export interface NamedPath {
  readonly parameter: string;
  readonly path: string;
}

/** The folders in which a model may read and write files. */
export interface AllowedFolders {
  /** The real path of a file to read, of at most `maxBytes`. @throws CliError usage, limit */
  readonly findInput: (named: NamedPath, limits: { maxBytes: number }) => Promise<string>;
  /** The real path of a file to write. @throws CliError usage, also for a dangerous name, and for one that exists and may not be replaced */
  readonly findOutput: (named: NamedPath, options: { overwrite: boolean }) => Promise<string>;
  /** Whether a path that was found still leads there. @throws CliError usage */
  readonly checkPlace: NonNullable<Io["checkPlace"]>;
}

/** @throws CliError usage for a path that is not a folder */
export async function allowFolders(
  io: Io,
  paths: readonly string[],
  { anyName }: { anyName: boolean },
): Promise<AllowedFolders> {
  const given = paths.map((path) => resolve(io.cwd, path));
  const real = await Promise.all(given.map(realFolder));
  const within = { given, real };
  return {
    async findInput(named, { maxBytes }) {
      const found = await realpath(locate(named, within)).catch(() => refuse(named, "there is no such file"));
      checkBelow(named, { found, real });
      const stats = await stat(found);
      if (!stats.isFile()) refuse(named, "this is not a file");
      if (stats.size > maxBytes) throw tooLarge(named, { size: stats.size, maxBytes });
      return found;
    },
    async findOutput(named, { overwrite }) {
      if (/[\\/]\.{0,2}$/.test(named.path)) refuse(named, "this is a folder; name a file in it");
      const asked = locate(named, within);
      const folder = await realpath(dirname(asked)).catch(() => refuse(named, "there is no such folder"));
      checkBelow(named, { found: folder, real });
      const target = join(folder, basename(asked));
      if (!anyName) await checkName(named, { target, real });
      if ((await isFileThere(named, target)) && !overwrite)
        refuse(named, 'there is a file of this name already; "overwrite": true replaces it');
      return target;
    },
    async checkPlace(path, use, opened) {
      const isOutput = use === "write";
      const found = await realpath(isOutput ? dirname(path) : path).catch(() =>
        refuse({ path }, "it is there no more"),
      );
      checkBelow({ path }, { found, real });
      if (isOutput) await isFileThere({ path }, path);
      const { dev, ino } = await stat(found);
      if (opened && (opened.dev !== dev || opened.ino !== ino)) refuse({ path }, "it was replaced meanwhile");
    },
  };
}

async function realFolder(path: string): Promise<string> {
  const real = await realpath(path).catch(() => refuse({ path }, "there is no such folder"));
  if (!(await stat(real)).isDirectory()) refuse({ path }, "this is not a folder");
  return real;
}

/** Linux's PATH_MAX. */
const MOST_LETTERS = 4_096;

interface FolderPaths {
  readonly given: readonly string[];
  readonly real: readonly string[];
}

/** Decided by the path alone, so that nobody learns whether something exists elsewhere. */
function locate(named: NamedPath, { given, real }: FolderPaths): string {
  const { path } = named;
  const [first] = given;
  if (first === undefined) {
    const message = "No folder is allowed: `hushkit mcp` was started without --allow DIR.";
    throw usageError(message);
  }
  if (path.length > MOST_LETTERS) refuse(named, "no path is as long as that");
  const asked = resolve(first, path);
  const isBelowOne = [...given, ...real].some((folder) => isBelow(folder, asked));
  if (!isBelowOne || path.includes("\0")) refuse(named, "it is outside the folders of --allow");
  return asked;
}

/** Looks at a link itself and not at its target: nothing is written through a link. @throws CliError usage */
async function isFileThere(named: PathSubject, target: string): Promise<boolean> {
  const there = await lstat(target).catch((error: unknown) => checkMissing(named, error));
  if (there && !there.isFile()) refuse(named, "this is not a file, or a link to one");
  return there !== undefined;
}

function checkBelow(
  named: PathSubject,
  { found, real }: { found: string } & Pick<FolderPaths, "real">,
): void {
  if (!real.some((folder) => found === folder || isBelow(folder, found)))
    refuse(named, "it leads out of the folders of --allow");
}

/** A model may repeat a name that others wrote for it, so names are checked like that of a locked file. */
async function checkName(
  named: NamedPath,
  { target, real }: { target: string } & Pick<FolderPaths, "real">,
): Promise<void> {
  // A folder that begins with a dot may itself be one of --allow.
  const within = real.filter((folder) => isBelow(folder, target));
  const reasons = await Promise.all(within.map((folder) => whyDangerous(relative(folder, target))));
  const [reason] = reasons;
  if (reason === undefined || reasons.includes(undefined)) return;
  refuse(named, `${reason}; name another file, or start \`hushkit mcp\` with --any-name`);
}

/** An output file must not exist yet. */
function checkMissing(named: PathSubject, error: unknown): undefined {
  const code = codeOf(error);
  if (code !== "ENOENT") refuse(named, `it cannot be written (${code})`);
}

function refuse(named: PathSubject, reason: string): never {
  throw usageError(`${subjectOf(named)}: ${reason}.`);
}

function tooLarge(named: NamedPath, { size, maxBytes }: { size: number; maxBytes: number }): CliError {
  const [has, most] = [size, maxBytes].map((bytes) => bytes.toLocaleString("en-US"));
  return new CliError(
    EXIT.limit,
    `${subjectOf(named)}: it has ${has} bytes; at most ${most} are taken here.`,
  );
}

/** Paths of --allow come without a parameter. */
type PathSubject = Omit<NamedPath, "parameter"> & Partial<NamedPath>;

/** Enough of a path for a model to recognize it. */
const SHOWN_LETTERS = 200;

function subjectOf({ parameter, path }: PathSubject): string {
  const shown = path.length > SHOWN_LETTERS ? `${path.slice(0, SHOWN_LETTERS)}…` : path;
  return parameter === undefined ? inputName(shown) : `Parameter "${parameter}": ${inputName(shown)}`;
}
