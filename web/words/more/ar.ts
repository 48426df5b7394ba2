import type { MoreWords } from "./en.ts";
import type { Translation } from "../translation.ts";
import { account } from "../ar/account.ts";
import { admin } from "../ar/admin.ts";
import { docs } from "../ar/docs.ts";
import { fileTools } from "../ar/file-tools.ts";
import { pdf } from "../ar/pdf.ts";
import { proof } from "../ar/proof.ts";
import { texts } from "../ar/texts.ts";
import { warnings } from "../ar/warnings.ts";

/** What the tools, the account and the API say in Arabic; the first pages do without. */
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
