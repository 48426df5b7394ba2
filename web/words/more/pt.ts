import type { MoreWords } from "./en.ts";
import type { Translation } from "../translation.ts";
import { account } from "../pt/account.ts";
import { admin } from "../pt/admin.ts";
import { docs } from "../pt/docs.ts";
import { fileTools } from "../pt/file-tools.ts";
import { pdf } from "../pt/pdf.ts";
import { proof } from "../pt/proof.ts";
import { texts } from "../pt/texts.ts";
import { warnings } from "../pt/warnings.ts";

/** What the tools, the account and the API say in Portuguese; the first pages do without. */
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
