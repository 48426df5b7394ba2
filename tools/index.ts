// What the package @hushkit/tools offers: the nine tools. The image codec and all bytes are the caller's.
export type { Bytes } from "../wire/bytes.ts";
export { ToolFailure } from "../wire/tool-failure.ts";
export { describeWarnings, type DescribedWarning, type ToolWarning } from "../wire/tool-warning.ts";
export {
  unlockFile,
  type Unlocked as UnlockedFile,
  type UnlockOptions as UnlockFileOptions,
} from "./crypto/unlock-file.ts";
export { lockedFileName, lockFile, type LockOptions } from "./file-encrypt.ts";
export { hashFile, type FileHash, type HashAlgorithm, type HashFileOptions } from "./file-hash.ts";
export {
  convertImage,
  type ConvertedImage,
  type ConvertOptions,
  type ImageCodec,
  type ImageJob,
  type Pixels,
  type TargetFormat,
} from "./image-convert.ts";
export { generatePasswords, type PasswordAnswer, type PasswordOptions } from "./password.ts";
export { mergePdf, type Merged, type MergeInput, type MergeOptions } from "./pdf-merge.ts";
export { rotatePdf, type Rotated, type RotateOptions } from "./pdf-rotate.ts";
export { splitPdf, type SplitOptions, type SplitResult } from "./pdf-split.ts";
export {
  unlockPdf,
  type Unlocked as UnlockedPdf,
  type UnlockOptions as UnlockPdfOptions,
} from "./pdf-unlock.ts";
export type { OnProgress } from "./file/progress.ts";
export { compareTexts, type CompareOptions, type TextComparison } from "./text-compare.ts";
