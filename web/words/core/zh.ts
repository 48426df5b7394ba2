import type { CoreWords } from "./en.ts";
import type { Translation } from "../translation.ts";
import { errors } from "../zh/errors.ts";
import { files } from "../zh/files.ts";
import { pages } from "../zh/pages.ts";
import { secrets } from "../zh/secrets.ts";
import { trust } from "../zh/trust.ts";
import { words as linkWords } from "../link/zh.ts";

/** What the first pages say in Chinese. */
export const words: Translation<CoreWords> = {
  ...linkWords,
  ...pages,
  ...secrets,
  ...files,
  ...trust,
  errors: { ...linkWords.errors, ...errors.errors },
  fields: { ...linkWords.fields, ...errors.fields },
};
