import { z } from "zod";
import { convertImage, weighConversion } from "../../tools/image-convert.ts";
import { checkedFileSizes, toolProcedure } from "../trpc.ts";
import { bytes, filename, fileResult, makeFile } from "../schemas.ts";

const FORMATS = ["webp", "jpeg", "png", "avif"] as const;
const EXTENSIONS = { webp: "webp", jpeg: "jpg", png: "png", avif: "avif" } as const;

export const imageConvert = toolProcedure
  .meta({
    openapi: {
      method: "POST",
      path: "/api/tools/image-convert",
      summary: "Convert an image",
      description:
        "Takes JPEG, PNG, WebP, GIF, AVIF and TIFF. Metadata, such as where a photo was taken, is not carried over.",
      tags: ["tools"],
      protect: false,
    },
    http: { body: "file", result: "file" },
    // The file alone; what its pixels hold is weighed when they are known.
    tool: {
      name: "image-convert",
      title: "Convert an image",
      types: FORMATS.map((name) => `image/${name}`),
      weight: 2,
    },
    errors: [400, 401, 413, 415, 422, 429, 503],
  })
  .input(
    z.object({
      file: bytes("The image"),
      format: z.enum(FORMATS).describe("Target format"),
      quality: z.int().min(1).max(100).default(82).describe("Lossy formats only; ignored for PNG"),
      filename,
    }),
  )
  .use(checkedFileSizes)
  .output(
    fileResult({
      format: z.enum(FORMATS),
      width: z.int().describe("Pixels"),
      height: z.int().describe("Pixels"),
      sourceFormat: z.string().describe("What the image was, by its content"),
      metadataRemoved: z.array(z.string()).describe("Kinds of metadata that were there"),
    }),
  )
  .mutation(
    async ({ input: { file, format, quality, filename: name }, ctx: { services, reserveMemory } }) => {
      reserveMemory(weighConversion(file, { format }));
      const options = { format, quality, codec: services.images, slow: services.heavyWork };
      const { bytes: data, metadataRemoved, warnings, ...facts } = await convertImage(file, options);
      const extension = EXTENSIONS[format];
      return makeFile({
        tool: "image-convert",
        type: `image/${format}`,
        data,
        filename: name,
        fallback: `image.${extension}`,
        extension,
        extras: { ...facts, metadataRemoved: [...metadataRemoved], warnings: [...warnings] },
      });
    },
  );
