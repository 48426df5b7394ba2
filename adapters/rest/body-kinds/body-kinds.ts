import type { HttpMeta } from "../../../router/meta.ts";
import type { BodyKind } from "./body-kind.ts";
import { content } from "./content.ts";
import { download } from "./download.ts";
import { fields } from "./fields.ts";
import { file } from "./file.ts";
import { files } from "./files.ts";
import { json } from "./json.ts";
import { none } from "./none.ts";
import { stream } from "./stream.ts";
import { upload } from "./upload.ts";

/** A kind that is missing here does not compile. */
export const BODY_KINDS = {
  none,
  file,
  stream,
  upload,
  files,
  json,
  fields,
  content,
  download,
} satisfies Record<HttpMeta["body"], BodyKind>;
