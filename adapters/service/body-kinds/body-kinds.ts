import type { HttpMeta } from "../../../router/meta.ts";
import type { BodyKind } from "../../trpc/rest/body-kinds/body-kind.ts";
import { content } from "./content.ts";
import { download } from "./download.ts";
import { fields } from "../../trpc/rest/body-kinds/fields.ts";
import { file } from "../../trpc/rest/body-kinds/file.ts";
import { files } from "../../trpc/rest/body-kinds/files.ts";
import { json } from "../../trpc/rest/body-kinds/json.ts";
import { none } from "../../trpc/rest/body-kinds/none.ts";
import { stream } from "../../trpc/rest/body-kinds/stream.ts";
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
