import { account } from "../en/account.ts";
import { admin } from "../en/admin.ts";
import { docs } from "../en/docs.ts";
import { fileTools } from "../en/file-tools.ts";
import { pdf } from "../en/pdf.ts";
import { proof } from "../en/proof.ts";
import { texts } from "../en/texts.ts";
import { warnings } from "../en/warnings.ts";

/** What the tools, the account and the API say in English; the first pages do without. */
export const words = {
  ...fileTools,
  ...pdf,
  ...texts,
  ...account,
  ...admin,
  ...docs,
  ...proof,
  warnings,
};

/** What a language has to say there. */
export type MoreWords = typeof words;
