import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { Option } from "@commander-js/extra-typings";
import type { ImageCodec } from "../../../tools/image-convert.ts";
import { defineCommand, shared, wholeNumberOf } from "../../definition.ts";
import { CliError, EXIT } from "../../exit.ts";
import { loadCodec } from "../../files/codec.ts";
import { describeFailure } from "../../failure.ts";
import { checkInputs, readInput, STANDARD } from "../../files/input.ts";
import { besideInput } from "../../files/names.ts";
import { checkResult, describeFile, finishFile, type DescribedFile } from "../../files/result.ts";
import { connectChosen } from "../../server/connect.ts";
import type { Io } from "../../terminal/io.ts";

const EXTENSIONS = { webp: "webp", jpeg: "jpg", png: "png", avif: "avif" } as const;

const SIDE = wholeNumberOf({ minimum: 1, maximum: 65_535 });

type Format = keyof typeof EXTENSIONS;

export function imageCommand(io: Io) {
  return defineCommand("image", {
    summary: "Convert images, and carry no metadata over",
    description:
      "Without -o each result is called after its image, with the new extension; with several images, -o is a folder.",
    examples: ["hushkit image photo.heic -f jpeg -q 90", "hushkit image *.png -f webp -o converted/"],
  })
    .argument("<files...>", "the images")
    .addOption(
      new Option("-f, --format <format>", "format of the result")
        .choices(["webp", "jpeg", "png", "avif"] as const)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option("-q, --quality <n>", "1 to 100; without effect on png")
        .argParser(wholeNumberOf({ minimum: 1, maximum: 100 }))
        .default(82),
    )
    .addOption(new Option("--width <n>", "fit into so many pixels, never larger than it was").argParser(SIDE))
    .addOption(
      new Option("--height <n>", "fit into so many pixels, never larger than it was").argParser(SIDE),
    )
    .addOption(new Option("--lossless", "for webp and avif").default(false))
    .addOption(
      new Option("--background <color>", "under transparency in a jpeg, such as #fff; white without it"),
    )
    .addOption(shared.output())
    .addOption(shared.force())
    .addOption(shared.server())
    .addOption(shared.json())
    .action(async (files, { format, output, force, json, server, ...look }) => {
      checkInputs(files);
      const paths = await resultPaths(io, { files, output, format });
      for (const path of paths) await checkResult(io, { path, force, json });
      const convert = server ? convertThere(io) : convertHere(await loadCodec());
      for (const [i, file] of files.entries()) {
        const conversion = { image: await readInput(io, file), format, ...look };
        const result = await convert(conversion).catch(tellingWhich(files, file));
        await finishFile(io, { path: paths[i] ?? STANDARD, force, json, result });
      }
    });
}

/** Throws an error again with the file that it is about, where there are several. */
function tellingWhich(files: readonly string[], file: string) {
  return (error: unknown): never => {
    if (files.length === 1) throw error;
    const { exitCode, message } = describeFailure(error);
    throw new CliError(exitCode, `${file}: ${message}`);
  };
}

async function resultPaths(
  io: Io,
  { files, output, format }: { files: readonly string[]; output: string | undefined; format: Format },
): Promise<string[]> {
  const extension = EXTENSIONS[format];
  const names = files.map((file) => besideInput(file, { extension }));
  if (output === undefined) return differentNames(names);
  if (await isFolder(resolve(io.cwd, output)))
    return differentNames(names.map((name) => join(output, basename(name))));
  if (files.length === 1) return [output];
  throw new CliError(EXIT.usage, "-o, --output: with several images it must be a folder that exists.");
}

/** @throws CliError usage where one result would replace another */
function differentNames(paths: string[]): string[] {
  if (new Set(paths).size === paths.length) return paths;
  throw new CliError(EXIT.usage, "-o, --output: two of the images would get the same name there.");
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}

interface Conversion {
  readonly image: Uint8Array<ArrayBuffer>;
  readonly format: Format;
  readonly quality: number;
  readonly width?: number;
  readonly height?: number;
  readonly lossless: boolean;
  readonly background?: string;
}

function convertThere(io: Io) {
  return async ({ image, ...options }: Conversion): Promise<DescribedFile> =>
    (await connectChosen(io)).tools.imageConvert.mutate({ file: image, ...options });
}

function convertHere(codec: ImageCodec) {
  return async ({ image, ...options }: Conversion): Promise<DescribedFile> => {
    const { convertImage } = await import("../../../tools/image-convert.ts");
    const { bytes: data, ...extras } = await convertImage(image, { ...options, codec });
    return describeFile({ tool: "image-convert", type: `image/${extras.format}`, data, extras });
  };
}
