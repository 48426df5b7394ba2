import { ApiError } from "../../../router/errors/errors.ts";
import type { Json } from "../../trpc/openapi/types.ts";
import { addParameter } from "../../trpc/rest/raw-input.ts";
import type { BodyKind, Endpoint, RequestContext, RawInput } from "../../trpc/adapter.ts";
import { fieldsKind } from "../../trpc/rest/body-kinds/fields.ts";
import { CONTENT_NAMES, HEADERS } from "./content.ts";

/** Fields, of which the ticket of a delivery and a passphrase may come in headers too, as where a secret is made. */
export const deliveredFields = fieldsKind({
  otherNames: CONTENT_NAMES,
  headers: { ...HEADERS, ticket: "Secret-Ticket" },
  checkForm: refuseUnknownFields,
});

// What is no field may be the rest of a passphrase with a &, or all of a body of JSON that curl has called a form. So it
// is not quoted.
function refuseUnknownFields(names: readonly string[], { input }: Endpoint): void {
  if (names.every((name) => input.names.includes(name.replace(/\[\w*\]/g, "")))) return;
  const allowed = input.names.filter((name) => name !== "id");
  const error = `The form has unknown fields; the fields are ${allowed.join(", ")}`;
  const how = "send JSON as application/json, and a & in a value as %26";
  throw new ApiError("invalid_parameter", `${error}; ${how}`, { in: "body", allowed });
}

/** The fields that open a file, and the header that says from where on. */
export const download: BodyKind = {
  ...deliveredFields,
  read: readDownload,
  also: (parameter, endpoint) =>
    parameter.name === "offset" ? ["header Range"] : deliveredFields.also(parameter, endpoint),
  documentParameters: (endpoint) => [...deliveredFields.documentParameters(endpoint), RANGE_HEADER],
};

const RANGE_HEADER: Json = {
  name: "Range",
  in: "header",
  required: false,
  description: "With a ticket: `bytes=n-`, the byte from which to go on",
  schema: { type: "string" },
};

async function readDownload(context: RequestContext, endpoint: Endpoint): Promise<RawInput> {
  const rawInput = await deliveredFields.read(context, endpoint);
  const range = context.request.headers.get("range");
  // Without a ticket this is a new delivery, which begins with the first byte. Other units are ignored (RFC 9110, 14.2).
  const isOfBytes = /^bytes=/i.test(range?.trim() ?? "");
  if (range === null || !isOfBytes || rawInput.values.ticket === undefined) return rawInput;
  addParameter(rawInput, { name: "offset", value: readRange(range), place: "header" });
  return rawInput;
}

// RFC 9110, 14.1.2, as far as a delivery can continue: one range without an end.
function readRange(range: string): number {
  const [, first] = /^bytes=([0-9]{1,15})-$/i.exec(range.trim()) ?? [];
  if (first !== undefined) return Number(first);
  const error = 'The header Range must be "bytes=n-", the byte from which to go on';
  throw new ApiError("invalid_parameter", error, { parameter: "Range", in: "header" });
}
