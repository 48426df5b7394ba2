// The jobs of image workers. The engine is loaded here and never in the server itself, where nothing could stop it.
import "../../tools/entries/heic.ts";
import { convertImage } from "../../tools/image-convert.ts";
import {
  type ConvertJobOptions,
  finished,
  imageKind,
  pdf,
  type ImageJobs,
} from "../../tools/entries/jobs.ts";
import { compressPdfToParts } from "../../tools/pdf-compress.ts";
import { mergePdfToParts } from "../../tools/pdf-merge.ts";
import type { Bytes } from "../../wire/bytes.ts";
import { askForMemory } from "./pipe.ts";
import { createSharpCodec } from "./image-sharp.ts";

const engine = { codec: createSharpCodec(), reserve: askForMemory };

export const jobs: ImageJobs = {
  convertImage: finished(
    (image: Bytes, options: ConvertJobOptions) => convertImage(image, { ...options, ...engine }),
    imageKind,
  ),
  compressPdf: finished(
    (file, options) => compressPdfToParts(file, { ...options, ...engine }),
    pdf("pdf-compress"),
  ),
  mergePdf: finished((files, options) => mergePdfToParts(files, { ...options, ...engine }), pdf("pdf-merge")),
};
