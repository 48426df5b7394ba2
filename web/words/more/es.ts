import type { MoreWords } from "./en.ts";
import type { Translation } from "../translation.ts";
import { account } from "../es/account.ts";
import { admin } from "../es/admin.ts";
import { docs } from "../es/docs.ts";
import { fileTools } from "../es/file-tools.ts";
import { pdf } from "../es/pdf.ts";
import { proof } from "../es/proof.ts";
import { texts } from "../es/texts.ts";
import { warnings } from "../es/warnings.ts";

/** What the tools, the account and the API say in Spanish; the first pages do without. */
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
