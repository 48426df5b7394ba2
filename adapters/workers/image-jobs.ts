// What the workers for images run. The engine is loaded here and never in the server itself, where nothing could
// stop it.
import { convertImage, type ConvertedImage, type ConvertOptions } from "../../tools/image-convert.ts";
import { compressPdfToParts, type CompressPdfOptions } from "../../tools/pdf-compress.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { askForMemory } from "./ask-server.ts";
import { createSharpCodec } from "./image-sharp.ts";

const codec = createSharpCodec();

export const jobs = {
  convertImage: (image: Bytes, options: Omit<ConvertOptions, "codec" | "reserve">): Promise<ConvertedImage> =>
    convertImage(image, { ...options, codec, reserve: askForMemory }),
  compressPdf: (file: Bytes, options: CompressPdfOptions) =>
    compressPdfToParts(file, { ...options, codec, reserve: askForMemory }),
};
