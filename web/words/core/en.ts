import { errors } from "../en/errors.ts";
import { files } from "../en/files.ts";
import { pages } from "../en/pages.ts";
import { secrets } from "../en/secrets.ts";
import { trust } from "../en/trust.ts";
import { words as linkWords } from "../link/en.ts";

/** What the first pages say in English. */
export const words = {
  ...linkWords,
  ...pages,
  ...secrets,
  ...files,
  ...trust,
  errors: { ...linkWords.errors, ...errors.errors },
  fields: { ...linkWords.fields, ...errors.fields },
};

/** What a language has to say on the first pages. */
export type CoreWords = typeof words;
