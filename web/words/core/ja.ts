import type { CoreWords } from "./en.ts";
import type { Translation } from "../translation.ts";
import { errors } from "../ja/errors.ts";
import { files } from "../ja/files.ts";
import { pages } from "../ja/pages.ts";
import { secrets } from "../ja/secrets.ts";
import { trust } from "../ja/trust.ts";
import { words as linkWords } from "../link/ja.ts";

/** What the first pages say in Japanese. */
export const words: Translation<CoreWords> = {
  ...linkWords,
  ...pages,
  ...secrets,
  ...files,
  ...trust,
  errors: { ...linkWords.errors, ...errors.errors },
  fields: { ...linkWords.fields, ...errors.fields },
};
