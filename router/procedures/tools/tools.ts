import { fileEncrypt, fileHash } from "./file-tools.ts";
import { imageConvert } from "./image-tools.ts";
import { pdfMerge, pdfRotate, pdfSplit, pdfUnlock } from "./pdf-tools.ts";
import { password, textCompare } from "./text-tools.ts";

/** The file tools. One that is added here is in REST, RPC, document and catalogue. */
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
