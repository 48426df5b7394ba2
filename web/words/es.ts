import type { Words } from "./en.ts";
import type { Translation } from "./translation.ts";
import { account } from "./es/account.ts";
import { docs } from "./es/docs.ts";
import { files } from "./es/files.ts";
import { pages } from "./es/pages.ts";
import { pdf } from "./es/pdf.ts";
import { secrets } from "./es/secrets.ts";
import { texts } from "./es/texts.ts";
import { warnings } from "./es/warnings.ts";
import { words as linkWords } from "./link/es.ts";

/** The words of the pages in Spanish. */
export const words: Translation<Words> = {
  ...linkWords,
  ...pages,
  ...secrets,
  ...files,
  ...pdf,
  ...texts,
  ...account,
  ...docs,
  warnings,
};
