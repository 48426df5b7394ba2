import type { Bytes } from "../../../wire/bytes.ts";
import type { ToolWarning } from "../../../wire/tool-warning.ts";
import { isImage } from "../../file/file-type.ts";
import type { OnProgress } from "../../file/progress.ts";
import type { ImageCodec } from "../../image-convert.ts";
import { failureAbout } from "../reader/open.ts";
import type { ImageFit } from "../../file/document-options.ts";

/** How images become pages. */
export interface ImageOptions {
  /** The pages: as large as the image at its resolution, 96 dpi if it says none; or a sheet that it fills. */
  readonly fit?: ImageFit | undefined;
  /** For images other than JPEG, PNG and HEIC. */
  readonly codec?: ImageCodec | undefined;
  /** Is told the memory, in bytes, that images take, before they are decoded; what it throws ends the work. */
  readonly reserve?: ((bytes: number) => void) | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** A list of files in which images have become PDFs, and what is to be told of each. */
export interface WithDocuments<File> {
  readonly files: readonly File[];
  readonly warnings: readonly (readonly ToolWarning[])[];
}

/**
 * Makes PDFs of the images in a list.
 * @throws ToolFailure with the field `file`: damaged_file, unsupported_feature, too_many_pixels, too_complex
 */
export async function withImageDocuments<File extends { readonly data: Bytes }>(
  files: readonly File[],
  { fit = "image", codec, reserve = () => {}, onProgress }: ImageOptions,
): Promise<WithDocuments<File>> {
  if (!files.some(({ data }) => isImage(data))) return { files, warnings: [] };
  const { makeImageDocument } = await import("./image-document.ts");
  const room = countRoom(reserve);
  const made: File[] = [];
  const warnings: (readonly ToolWarning[])[] = [];
  for (const [i, file] of files.entries()) {
    const tools = { fit, codec, reserve: room.reserve };
    const document = isImage(file.data)
      ? await makeImageDocument(file.data, tools).catch((error: unknown) => {
          throw failureAbout(error, { file: i, count: files.length });
        })
      : { bytes: file.data, warnings: [] };
    if (document.bytes !== file.data) room.keep(document.bytes.length);
    made.push({ ...file, data: document.bytes });
    warnings.push(document.warnings);
    onProgress?.((i + 1) / files.length);
  }
  return { files: made, warnings };
}

/** A document that was made is written once more. */
const COPIES = 2;

/** Adds what is kept to what is asked for, and asks only for more than before. */
function countRoom(reserve: (bytes: number) => void) {
  let [kept, most] = [0, 0];
  return {
    reserve(bytes: number) {
      if (kept + bytes <= most) return;
      most = kept + bytes;
      reserve(most);
    },
    keep(bytes: number) {
      kept += COPIES * bytes;
    },
  };
}
