import type { Words } from "./en.ts";
import type { Translation } from "./translation.ts";
import { account } from "./zh/account.ts";
import { docs } from "./zh/docs.ts";
import { files } from "./zh/files.ts";
import { pages } from "./zh/pages.ts";
import { pdf } from "./zh/pdf.ts";
import { secrets } from "./zh/secrets.ts";
import { texts } from "./zh/texts.ts";
import { warnings } from "./zh/warnings.ts";
import { words as linkWords } from "./link/zh.ts";

/** The words of the pages in Chinese. */
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
