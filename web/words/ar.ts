import type { Words } from "./en.ts";
import type { Translation } from "./translation.ts";
import { account } from "./ar/account.ts";
import { docs } from "./ar/docs.ts";
import { files } from "./ar/files.ts";
import { pages } from "./ar/pages.ts";
import { pdf } from "./ar/pdf.ts";
import { secrets } from "./ar/secrets.ts";
import { texts } from "./ar/texts.ts";
import { warnings } from "./ar/warnings.ts";
import { words as linkWords } from "./link/ar.ts";

/** The words of the pages in Arabic. */
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
