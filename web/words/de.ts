import type { Words } from "./en.ts";
import type { Translation } from "./translation.ts";
import { account } from "./de/account.ts";
import { docs } from "./de/docs.ts";
import { files } from "./de/files.ts";
import { pages } from "./de/pages.ts";
import { pdf } from "./de/pdf.ts";
import { secrets } from "./de/secrets.ts";
import { texts } from "./de/texts.ts";
import { warnings } from "./de/warnings.ts";
import { words as linkWords } from "./link/de.ts";

/** The words of the pages in German. */
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
