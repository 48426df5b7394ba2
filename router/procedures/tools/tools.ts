import * as fileEncrypt from "./file-encrypt.ts";
import * as fileTools from "./file-hash.ts";
import * as imageTools from "./image-tools.ts";
import * as pdfClean from "./pdf-clean.ts";
import * as pdfCompress from "./pdf-compress.ts";
import * as pdfMerge from "./pdf-merge.ts";
import * as pdfTools from "./pdf-tools.ts";
import * as passwords from "./password.ts";
import * as textCompare from "./text-compare.ts";

/** The file tools. What these files export appears in REST, RPC, document and catalogue. */
export const toolProcedures = {
  ...pdfTools,
  ...pdfMerge,
  ...pdfClean,
  ...pdfCompress,
  ...imageTools,
  ...fileTools,
  ...fileEncrypt,
  ...passwords,
  ...textCompare,
};
