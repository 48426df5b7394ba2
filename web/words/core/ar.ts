import type { CoreWords } from "./en.ts";
import type { Translation } from "../translation.ts";
import { errors } from "../ar/errors.ts";
import { files } from "../ar/files.ts";
import { pages } from "../ar/pages.ts";
import { secrets } from "../ar/secrets.ts";
import { trust } from "../ar/trust.ts";
import { words as linkWords } from "../link/ar.ts";

/** What the first pages say in Arabic. */
export const words: Translation<CoreWords> = {
  ...linkWords,
  ...pages,
  ...secrets,
  ...files,
  ...trust,
  errors: { ...linkWords.errors, ...errors.errors },
  fields: { ...linkWords.fields, ...errors.fields },
};
