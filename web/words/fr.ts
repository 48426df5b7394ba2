import type { Words } from "./en.ts";
import type { Translation } from "./translation.ts";
import { account } from "./fr/account.ts";
import { docs } from "./fr/docs.ts";
import { files } from "./fr/files.ts";
import { pages } from "./fr/pages.ts";
import { pdf } from "./fr/pdf.ts";
import { secrets } from "./fr/secrets.ts";
import { texts } from "./fr/texts.ts";
import { warnings } from "./fr/warnings.ts";
import { words as linkWords } from "./link/fr.ts";

/** The words of the pages in French. */
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
