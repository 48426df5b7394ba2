// PDF: @hushkit/tools/pdf.
export * from "./shared/failure.ts";
export * from "./shared/warnings.ts";
export { cleanPdf, type CleanedPdf, type CleanOptions } from "../pdf-clean.ts";
export {
  compressPdf,
  type CompressedPdf,
  type CompressPdfOptions,
  type SampleCodec,
  type WithCodec,
} from "../pdf-compress.ts";
export { lockPdf, type LockedPdf, type LockPdfOptions } from "../pdf-lock.ts";
export { mergePdf, type MergedPdf, type MergeInput, type MergeOptions } from "../pdf-merge.ts";
export { rotatePdf, type RotatedPdf, type RotateOptions } from "../pdf-rotate.ts";
export { splitPdf, type SplitOptions, type SplitResult } from "../pdf-split.ts";
export { unlockPdf, type UnlockedPdf, type UnlockPdfOptions } from "../pdf-unlock.ts";
