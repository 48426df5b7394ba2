import type { ServiceHttpMeta } from "../../../router/meta.ts";
import { CallError } from "../../../wire/call-error.ts";
import { besidePath } from "../../trpc/endpoints.ts";
import type { BodyKind, Endpoint, RawInput, RequestContext } from "../../trpc/adapter.ts";
import { fileKind, streamKind } from "../../trpc/rest/body-kinds/file.ts";
import { filesKind } from "../../trpc/rest/body-kinds/files.ts";
import { json } from "../../trpc/rest/body-kinds/json.ts";
import { none } from "../../trpc/rest/body-kinds/none.ts";
import { readQuery, refuseInQuery } from "../../trpc/rest/raw-input.ts";
import { content } from "./content.ts";
import { deliveredFields, download } from "./download.ts";
import { upload } from "./upload.ts";

/** Parameters that may be sent in headers, because a URL is no place for them. */
export const SECRET_HEADERS = {
  password: "Tool-Password",
  ownerPassword: "Tool-Owner-Password",
  openWith: "Tool-Open-With",
  identities: "Tool-Identities",
} as const;
const HEADERS = { headers: SECRET_HEADERS };
const PDF_HEADER = "%PDF-";

/** A missing kind does not compile. */
export const BODY_KINDS = {
  none: { ...none, read: readNone },
  file: fileKind({ ...HEADERS, refusesEmpty: true }),
  stream: streamKind(HEADERS),
  upload,
  files: filesKind(pdfByItself),
  json,
  fields: deliveredFields,
  content,
  download,
} satisfies Record<ServiceHttpMeta["body"], BodyKind>;

// A DELETE with a misspelled or misplaced parameter is refused: it would delete something else than was meant.
async function readNone(context: RequestContext, endpoint: Endpoint): Promise<RawInput> {
  if (endpoint.openapi.method === "DELETE") {
    const allowed = besidePath(endpoint).map(({ name }) => name);
    refuseInQuery(context.url, { allowed, isBodyField: () => false });
    await context.body.bytes({ limit: 0, tooLarge: () => bodyUnread(allowed) });
  }
  return readQuery(context, endpoint);
}

function bodyUnread(inQuery: readonly string[]): CallError {
  const where = inQuery.length > 0 ? `; send ${inQuery.join(" and ")} in the query` : "";
  return new CallError("invalid_parameter", `This call takes no body${where}`, { in: "body" });
}

/** The limits of each kind of body, for the catalogue. */
export const BODY_LIMITS: Partial<Record<ServiceHttpMeta["body"], readonly string[]>> = {
  file: ["fileSize"],
  stream: ["fileSize"],
  upload: ["secretFileSize", "secretExpires", "storedBytes"],
  content: ["secretLength", "secretExpires", "storedBytes"],
};

/** The likeliest mistake is to send a file by itself, as to the other tools. */
function pdfByItself(bytes: Uint8Array, howToSend: string): CallError | undefined {
  const isPdf = [...PDF_HEADER].every((character, i) => bytes[i] === character.charCodeAt(0));
  if (!isPdf) return undefined;
  return new CallError("invalid_json", `The body is a PDF by itself; ${howToSend}`, { in: "body" });
}
