import type { Bytes } from "../../../wire/bytes.ts";
import type { ToolWarning } from "../../../wire/tool-warning.ts";
import { isImage } from "../../file/file-type.ts";
import type { OnProgress } from "../../file/progress.ts";
import type { ImageCodec } from "../../image-convert.ts";
import { failureAbout } from "../reader/open.ts";
import type { ImageFit } from "../../file/document-options.ts";

/** How images become pages. */
export interface ImageOptions {
  /**
   * The size of the pages: that of the image at its resolution (96 dpi if it states none), or a sheet that it fills.
   */
  readonly fit?: ImageFit | undefined;
  /** For images other than JPEG, PNG and HEIC. */
  readonly codec?: ImageCodec | undefined;
  /** Called with the memory, in bytes, that images take, before they are decoded; if it throws, the work ends. */
  readonly reserve?: ((bytes: number) => void) | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** A list of files in which PDFs replace the images, and what callers are told about each. */
export interface WithDocuments<File> {
  readonly files: readonly File[];
  readonly warnings: readonly (readonly ToolWarning[])[];
}

/**
 * Replaces the images in a list with PDFs.
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

/** The generated document is written a second time. */
const COPIES = 2;

/** Adds the memory that is kept to what is requested, and requests only increases. */
export function countRoom(reserve: (bytes: number) => void) {
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
