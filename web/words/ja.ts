import type { Words } from "./en.ts";
import type { Translation } from "./translation.ts";
import { account } from "./ja/account.ts";
import { docs } from "./ja/docs.ts";
import { files } from "./ja/files.ts";
import { pages } from "./ja/pages.ts";
import { pdf } from "./ja/pdf.ts";
import { secrets } from "./ja/secrets.ts";
import { texts } from "./ja/texts.ts";
import { warnings } from "./ja/warnings.ts";
import { words as linkWords } from "./link/ja.ts";

/** The words of the pages in Japanese. */
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
