// What the package @hushkit/tools offers: the tools. The image codec and all bytes are the caller's.
export type { Bytes } from "../wire/bytes.ts";
export { ToolFailure } from "../wire/tool-failure.ts";
export { describeWarnings, type DescribedWarning, type ToolWarning } from "../wire/tool-warning.ts";
export { unlockFile, type UnlockedFile, type UnlockFileOptions } from "./crypto/unlock-file.ts";
export { ageFileName } from "./age/age-file.ts";
export { lockAgeFile, type LockAgeOptions } from "./age/lock-age.ts";
export { makeAgeKeys } from "./age/keys.ts";
export { lockedFileName, lockFile, type LockOptions } from "./file-encrypt.ts";
export { hashFile, type FileHash, type HashAlgorithm, type HashFileOptions } from "./file-hash.ts";
export { stripMetadata, type StrippedImage } from "./image/strip-metadata.ts";
export {
  convertImage,
  type ConvertedImage,
  type ConvertOptions,
  type ImageCodec,
  type ImageJob,
  type Pixels,
  type TargetFormat,
} from "./image-convert.ts";
export {
  generateFromList,
  generatePasswords,
  loadWordList,
  type PasswordAnswer,
  type PasswordOptions,
  type PasswordRequest,
  type WordList,
  type WordListName,
} from "./password.ts";
export { cleanPdf, type CleanedPdf, type CleanOptions } from "./pdf-clean.ts";
export {
  compressPdf,
  type CompressedPdf,
  type CompressPdfOptions,
  type SampleCodec,
  type WithCodec,
} from "./pdf-compress.ts";
export { lockPdf, type LockedPdf, type LockPdfOptions } from "./pdf-lock.ts";
export { mergePdf, type Merged, type MergeInput, type MergeOptions } from "./pdf-merge.ts";
export { rotatePdf, type Rotated, type RotateOptions } from "./pdf-rotate.ts";
export { splitPdf, type SplitOptions, type SplitResult } from "./pdf-split.ts";
export { unlockPdf, type UnlockedPdf, type UnlockPdfOptions } from "./pdf-unlock.ts";
export type { OnProgress } from "./file/progress.ts";
export { compareTexts, type CompareOptions, type TextComparison } from "./text-compare.ts";
