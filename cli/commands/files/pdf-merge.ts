import { Option } from "@commander-js/extra-typings";
import type { MergeInput } from "../../../tools/pdf-merge.ts";
import { lazyCodec } from "../../files/codec.ts";
import { describeFailure } from "../../failure.ts";
import { CliError } from "../../exit.ts";
import { defineCommand } from "../../definition.ts";
import { checkInputs, isFile, inputName, readInput } from "../../files/input.ts";
import type { DescribedFile } from "../../files/result.ts";
import type { Io } from "../../terminal/io.ts";
import { needsPassword, readPassword } from "../../terminal/passwords.ts";
import { makeBeside, runTool, withPdfOptions } from "./pdf-tool.ts";

export function pdfMergeCommand(io: Io) {
  return withPdfOptions(
    defineCommand("merge", {
      summary: "Join PDFs and images, or some of their pages, in this order",
      description:
        "FILE:PAGES takes some pages of a file. An image becomes a page, or one for each of its pages or frames: JPEG as it " +
        "is, others without loss. Without -o the result is called after the first file, with -merged.",
      examples: [
        "hushkit pdf merge a.pdf b.pdf:1-3 -o both.pdf",
        "hushkit pdf merge cover.pdf scans.tiff:2-end",
        "hushkit pdf merge *.jpg --fit a4 -o photos.pdf",
      ],
    })
      .argument("<files...>", "PDFs and images, each with :PAGES after it where not all pages are wanted")
      .addOption(
        new Option("--fit <page>", "pages of images: as large as the image at its resolution, or a sheet")
          .choices(["image", "a4", "letter"] as const)
          .default("image" as const),
      )
      .option("--bookmarks", "a bookmark for each file, with its name")
      .option("--even-pages", "a blank page after an odd number, so that each file begins on a new sheet"),
  ).action(async (operands, { output, force, json, server, passwordFd, ...options }) => {
    const sources = await Promise.all(operands.map((operand) => readOperand(io, operand)));
    const paths = sources.map(({ path }) => path);
    checkInputs(paths);
    const merge: PdfMerger = (files) =>
      runTool(io, {
        tool: "pdf-merge",
        server,
        fileCount: files.length,
        here: async () =>
          (await import("../../../tools/pdf-merge.ts")).mergePdf(files, { ...options, codec: lazyCodec }),
        there: (tools) => tools.pdfMerge.mutate({ files: [...files], ...options }),
      });
    const make = async () => {
      const files: MergeFile[] = [];
      for (const { path, range } of sources)
        files.push({ name: inputName(path), data: await readInput(io, path), range });
      return askingForPasswords(io, { files, merge, passwordFd });
    };
    await makeBeside(io, paths[0] ?? "-", { tool: "pdf-merge", output, force, json, make });
  });
}

interface Source {
  readonly path: string;
  readonly range: string | undefined;
}

type MergeFile = MergeInput & { readonly name: string };

type PdfMerger = (files: readonly MergeFile[]) => Promise<DescribedFile>;

/** A path, a colon and a range; the range may contain another colon, as in `a.pdf:1-z:odd`. */
const WITH_RANGE = /^(.+?):([^:/\\]*(?::[ \t]*(?:even|odd)[ \t]*)?)$/is;

// A name may contain a colon: where a file has the whole operand as its name, it is that file.
async function readOperand(io: Io, operand: string): Promise<Source> {
  const [, path, range] = WITH_RANGE.exec(operand) ?? [];
  const isPath = path === undefined || range === undefined || (await isFile(io, operand));
  return isPath ? { path: operand, range: undefined } : { path, range };
}

/** Asks for the password of each file that needs one. */
async function askingForPasswords(
  io: Io,
  of: { files: readonly MergeFile[]; merge: PdfMerger; passwordFd: number | undefined },
): Promise<DescribedFile> {
  const { files, merge, passwordFd } = of;
  try {
    return await merge(files);
  } catch (error) {
    const index = needsPassword(error) ? fileIndex(error) : undefined;
    const file = index === undefined ? undefined : files[index];
    if (index === undefined || !file || file.password !== undefined) throw withFileName(error, files);
    const password = await readPassword(io, { question: `Password of ${file.name}`, passwordFd });
    const known = files.with(index, { ...file, password });
    // A file descriptor can be read only once, so the other files are tried with the same password.
    const rest = passwordFd === undefined ? known : known.map((each) => ({ ...each, password }));
    return askingForPasswords(io, { files: rest, merge, passwordFd: undefined });
  }
}

/** The tool knows a file by its place, the user by its name. */
function withFileName(error: unknown, files: readonly MergeFile[]): unknown {
  const { exitCode, message } = describeFailure(error);
  const index = fileIndex(error);
  const file = index === undefined ? undefined : files[index];
  return file ? new CliError(exitCode, message.replace(/^File \d+ of \d+: /, `${file.name}: `)) : error;
}

/** The index of the file that an error is about, whether it comes from the tool or from the server. */
function fileIndex(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const details: unknown = "data" in error ? error.data : "fields" in error ? error.fields : undefined;
  const hasIndex = typeof details === "object" && details !== null && "file" in details;
  return hasIndex && typeof details.file === "number" ? details.file : undefined;
}
