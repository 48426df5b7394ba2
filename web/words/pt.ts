import type { Words } from "./en.ts";
import type { Translation } from "./translation.ts";
import { account } from "./pt/account.ts";
import { docs } from "./pt/docs.ts";
import { files } from "./pt/files.ts";
import { pages } from "./pt/pages.ts";
import { pdf } from "./pt/pdf.ts";
import { secrets } from "./pt/secrets.ts";
import { texts } from "./pt/texts.ts";
import { warnings } from "./pt/warnings.ts";
import { words as linkWords } from "./link/pt.ts";

/** The words of the pages in Portuguese. */
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
