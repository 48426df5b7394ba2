import type { CoreWords } from "./en.ts";
import type { Translation } from "../translation.ts";
import { errors } from "../pt/errors.ts";
import { files } from "../pt/files.ts";
import { pages } from "../pt/pages.ts";
import { secrets } from "../pt/secrets.ts";
import { trust } from "../pt/trust.ts";
import { words as linkWords } from "../link/pt.ts";

/** What the first pages say in Portuguese. */
export const words: Translation<CoreWords> = {
  ...linkWords,
  ...pages,
  ...secrets,
  ...files,
  ...trust,
  errors: { ...linkWords.errors, ...errors.errors },
  fields: { ...linkWords.fields, ...errors.fields },
};
