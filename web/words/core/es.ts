import type { CoreWords } from "./en.ts";
import type { Translation } from "../translation.ts";
import { errors } from "../es/errors.ts";
import { files } from "../es/files.ts";
import { pages } from "../es/pages.ts";
import { secrets } from "../es/secrets.ts";
import { trust } from "../es/trust.ts";
import { words as linkWords } from "../link/es.ts";

/** What the first pages say in Spanish. */
export const words: Translation<CoreWords> = {
  ...linkWords,
  ...pages,
  ...secrets,
  ...files,
  ...trust,
  errors: { ...linkWords.errors, ...errors.errors },
  fields: { ...linkWords.fields, ...errors.fields },
};
