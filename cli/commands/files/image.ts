import { extname } from "node:path";
import { Option } from "@commander-js/extra-typings";
import type { ConvertedImage, TargetFormat } from "../../../tools/image-convert.ts";
import type { Rotation } from "../../../tools/image/region.ts";
import type { StrippedImage } from "../../../tools/image/strip-metadata.ts";
import type { Bytes } from "../../../wire/bytes.ts";
import { IMAGE_PIXELS } from "../../../wire/limits.ts";
import { defineCommand, rightAngle, shared, wholeNumberOf } from "../../definition.ts";
import { usageError } from "../../exit.ts";
import { loadCodec } from "../../files/codec.ts";
import { checkInputs, forEachFile, inputName, readInput, STANDARD } from "../../files/input.ts";
import { besideInput, isNameless, namesFolder, resultPath } from "../../files/output.ts";
import { checkResult, describeFile, finishFile, type DescribedFile } from "../../files/result.ts";
import { connectChosen } from "../../server/connect.ts";
import type { Io } from "../../terminal/io.ts";

const SIDE = wholeNumberOf({ minimum: 1, maximum: 65_535 });

export function imageCommand(io: Io) {
  return defineCommand("image", {
    summary: "Convert images, and carry no metadata over",
    description:
      "Without -o each result is called after its image, with the new extension; with several images, -o is a folder. " +
      "--rotate comes first, then --crop, then --width and --height. --strip takes the metadata out of JPEG, PNG and WebP " +
      "without encoding them anew, and calls the result photo-stripped.jpg.",
    examples: [
      "hushkit image photo.heic -f jpeg -q 90",
      "hushkit image *.png -f webp -o converted/",
      "hushkit image scan.tiff -f jpeg --rotate 90 --crop 0,0,1200,800",
      "hushkit image photo.jpg -f webp --width 1600 --bytes 200000",
      "hushkit image --strip photo.jpg",
    ],
  })
    .argument("<files...>", "the images")
    .addOption(
      new Option("-f, --format <format>", "format of the result").choices([
        "webp",
        "jpeg",
        "png",
        "avif",
      ] as const),
    )
    .option("--strip", "leave the pixels as they are, and take only the metadata out")
    .option(
      "-q, --quality <n>",
      "1 to 100, 82 without it; without effect on png",
      wholeNumberOf({ minimum: 1, maximum: 100 }),
    )
    .option("--width <n>", "fit into this many pixels, never larger than it was", SIDE)
    .option("--height <n>", "fit into this many pixels, never larger than it was", SIDE)
    .option("--linear", "average pixels as light, where they become fewer", false)
    .addOption(rightAngle("--rotate <degrees>", "turn clockwise: 90, 180, 270 or -90"))
    .option("--crop <x,y,width,height>", "only this part of the picture, in pixels")
    .option(
      "--bytes <n>",
      "the most bytes of the result: the quality goes down until it has no more",
      wholeNumberOf({ minimum: 1, maximum: 999_999_999 }),
    )
    .option("--lossless", "for webp and avif", false)
    .option("--background <color>", "under transparency in a jpeg, such as #fff; white without it")
    .addOption(shared.output())
    .addOption(shared.force())
    .addOption(shared.server())
    .addOption(shared.json())
    .action(async (files, { format, strip, output, force, json, server, ...look }) => {
      checkInputs(files);
      const paths = await resultPaths(io, files, {
        output,
        format: chooseFormat({ format, strip, ...look }),
      });
      for (const path of paths) await checkResult(io, { path, force, json });
      const convert = await (format ? convertBy(io, { ...look, format, server }) : stripBy(io, { server }));
      await forEachFile(io, files, async (file, i) => {
        const result = await convert(await readInput(io, file));
        await finishFile(io, { path: paths[i] ?? STANDARD, force, json, result });
      });
    });
}

/** The format of the result; undefined to keep that of the source. @throws CliError usage */
function chooseFormat({
  format,
  strip,
  ...look
}: Partial<ConvertFlags> & { format?: TargetFormat | undefined; strip?: true | undefined }):
  TargetFormat | undefined {
  if (!strip && !format) throw usageError("-f, --format is missing: webp, jpeg, png or avif.");
  if (!strip) return format;
  const useless = Object.entries({ format, ...look }).find(([, set]) => set);
  if (!useless) return undefined;
  throw usageError(`--${useless[0]} does nothing with --strip, which leaves the pixels as they are.`);
}

async function resultPaths(
  io: Io,
  files: readonly string[],
  { output, format }: { output: string | undefined; format: TargetFormat | undefined },
): Promise<string[]> {
  const { imageExtension, RESULT_STEMS } = await import("../../../tools/file/derived-name.ts");
  const names = files.map((file) =>
    format
      ? besideInput(file, { extension: imageExtension(format) })
      : withSuffix(file, `-${RESULT_STEMS["image-convert"]}`),
  );
  if (output !== undefined && files.length > 1 && !namesFolder(io, output))
    throw usageError(
      "-o, --output: with several images it must be a folder; with a slash at its end it is made.",
    );
  const paths = await Promise.all(names.map((name) => resultPath(io, output, name)));
  const sources = new Map<string, string>();
  for (const [i, path] of paths.entries()) {
    const [file = "", same] = [files[i], sources.get(path)];
    if (same !== undefined)
      throw usageError(`${inputName(file)}: ${inputName(path)} is the result of ${inputName(same)} already.`);
    sources.set(path, file);
  }
  return paths;
}

function withSuffix(file: string, suffix: string): string {
  if (isNameless(file)) return STANDARD;
  const extension = extname(file);
  return `${file.slice(0, file.length - extension.length)}${suffix}${extension}`;
}

interface ConvertFlags {
  readonly quality?: number;
  readonly width?: number;
  readonly height?: number;
  readonly linear: boolean;
  readonly rotate?: Rotation;
  readonly crop?: string;
  readonly bytes?: number;
  readonly lossless: boolean;
  readonly background?: string;
}

type Work = (image: Bytes) => Promise<DescribedFile>;

async function convertBy(
  io: Io,
  { server, ...options }: ConvertFlags & { server?: true | undefined; format: TargetFormat },
): Promise<Work> {
  if (server)
    return async (file) => (await connectChosen(io)).tools.imageConvert.mutate({ file, ...options });
  const codec = await loadCodec();
  return async (image) => {
    const { convertImage } = await import("../../../tools/image-convert.ts");
    return describeImage(await convertImage(image, { ...options, codec, maxPixels: IMAGE_PIXELS.member }));
  };
}

async function stripBy(io: Io, { server }: { server?: true | undefined }): Promise<Work> {
  if (server)
    return async (file) => (await connectChosen(io)).tools.imageConvert.mutate({ file, metadata: "strip" });
  return async (image) => {
    const { stripMetadata } = await import("../../../tools/image/strip-metadata.ts");
    return describeImage(stripMetadata(image));
  };
}

function describeImage({ bytes: data, ...extras }: ConvertedImage | StrippedImage): DescribedFile {
  return describeFile({ tool: "image-convert", type: `image/${extras.format}`, data }, extras);
}
