import { fileEncrypt, fileHash } from "./file-tools.ts";
import { imageConvert } from "./image-tools.ts";
import { pdfMerge, pdfRotate, pdfSplit, pdfUnlock } from "./pdf-tools.ts";
import { password, textCompare } from "./text-tools.ts";

/** The file tools; adding one here opens both doors, the document and the catalogue to it. */
export const toolProcedures = {
  pdfUnlock,
  pdfMerge,
  pdfSplit,
  pdfRotate,
  imageConvert,
  textCompare,
  fileHash,
  password,
  fileEncrypt,
};
