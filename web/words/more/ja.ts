import type { MoreWords } from "./en.ts";
import type { Translation } from "../translation.ts";
import { account } from "../ja/account.ts";
import { admin } from "../ja/admin.ts";
import { docs } from "../ja/docs.ts";
import { fileTools } from "../ja/file-tools.ts";
import { pdf } from "../ja/pdf.ts";
import { proof } from "../ja/proof.ts";
import { texts } from "../ja/texts.ts";
import { warnings } from "../ja/warnings.ts";

/** What the tools, the account and the API say in Japanese; the first pages do without. */
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
