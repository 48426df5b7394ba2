import type { MoreWords } from "./en.ts";
import type { Translation } from "../translation.ts";
import { account } from "../fr/account.ts";
import { admin } from "../fr/admin.ts";
import { docs } from "../fr/docs.ts";
import { fileTools } from "../fr/file-tools.ts";
import { pdf } from "../fr/pdf.ts";
import { proof } from "../fr/proof.ts";
import { texts } from "../fr/texts.ts";
import { warnings } from "../fr/warnings.ts";

/** What the tools, the account and the API say in French; the first pages do without. */
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
