import { account } from "./en/account.ts";
import { docs } from "./en/docs.ts";
import { files } from "./en/files.ts";
import { pages } from "./en/pages.ts";
import { pdf } from "./en/pdf.ts";
import { secrets } from "./en/secrets.ts";
import { texts } from "./en/texts.ts";
import { warnings } from "./en/warnings.ts";
import { words as linkWords } from "./link/en.ts";

/** The words of the pages in English. Every language has the same keys, with the same {placeholders}. */
export const words = {
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

/** What a language has to say. */
export type Words = typeof words;
