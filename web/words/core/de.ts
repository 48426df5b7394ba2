import type { CoreWords } from "./en.ts";
import type { Translation } from "../translation.ts";
import { errors } from "../de/errors.ts";
import { files } from "../de/files.ts";
import { pages } from "../de/pages.ts";
import { secrets } from "../de/secrets.ts";
import { trust } from "../de/trust.ts";
import { words as linkWords } from "../link/de.ts";

/** What the first pages say in German. */
export const words: Translation<CoreWords> = {
  ...linkWords,
  ...pages,
  ...secrets,
  ...files,
  ...trust,
  errors: { ...linkWords.errors, ...errors.errors },
  fields: { ...linkWords.fields, ...errors.fields },
};
