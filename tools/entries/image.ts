// Images, with a codec of the caller: @hushkit/tools/image.
export * from "./shared/failure.ts";
export * from "./shared/warnings.ts";
export { stripMetadata, type StrippedImage } from "../image/strip-metadata.ts";
export {
  convertImage,
  type ConvertedImage,
  type ConvertOptions,
  type ImageCodec,
  type ImageJob,
  type Pixels,
  type TargetFormat,
} from "../image-convert.ts";
