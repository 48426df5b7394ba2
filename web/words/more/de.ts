import type { MoreWords } from "./en.ts";
import type { Translation } from "../translation.ts";
import { account } from "../de/account.ts";
import { admin } from "../de/admin.ts";
import { docs } from "../de/docs.ts";
import { fileTools } from "../de/file-tools.ts";
import { pdf } from "../de/pdf.ts";
import { proof } from "../de/proof.ts";
import { texts } from "../de/texts.ts";
import { warnings } from "../de/warnings.ts";

/** What the tools, the account and the API say in German; the first pages do without. */
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
