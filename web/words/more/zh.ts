import type { MoreWords } from "./en.ts";
import type { Translation } from "../translation.ts";
import { account } from "../zh/account.ts";
import { admin } from "../zh/admin.ts";
import { docs } from "../zh/docs.ts";
import { fileTools } from "../zh/file-tools.ts";
import { pdf } from "../zh/pdf.ts";
import { proof } from "../zh/proof.ts";
import { texts } from "../zh/texts.ts";
import { warnings } from "../zh/warnings.ts";

/** What the tools, the account and the API say in Chinese; the first pages do without. */
export const words: Translation<MoreWords> = {
  ...fileTools,
  ...pdf,
  ...texts,
  ...account,
  ...admin,
  ...docs,
  ...proof,
  warnings,
};
