// Images, with a codec of the caller: @hushkit/tools/image.
export { ToolFailure } from "../../wire/tool-failure.ts";
export { describeWarnings, type DescribedWarning, type ToolWarning } from "../../wire/tool-warning.ts";
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
