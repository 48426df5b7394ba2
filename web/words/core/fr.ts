import type { CoreWords } from "./en.ts";
import type { Translation } from "../translation.ts";
import { errors } from "../fr/errors.ts";
import { files } from "../fr/files.ts";
import { pages } from "../fr/pages.ts";
import { secrets } from "../fr/secrets.ts";
import { trust } from "../fr/trust.ts";
import { words as linkWords } from "../link/fr.ts";

/** What the first pages say in French. */
export const words: Translation<CoreWords> = {
  ...linkWords,
  ...pages,
  ...secrets,
  ...files,
  ...trust,
  errors: { ...linkWords.errors, ...errors.errors },
  fields: { ...linkWords.fields, ...errors.fields },
};
