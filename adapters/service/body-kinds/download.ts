import { ApiError } from "../../../router/errors/errors.ts";
import type { Json } from "../../trpc/openapi/types.ts";
import { addParameter } from "../../trpc/rest/raw-input.ts";
import type { BodyKind, Endpoint, RequestContext, RawInput } from "../../trpc/adapter.ts";
import { fieldsKind } from "../../trpc/rest/body-kinds/fields.ts";
import { CONTENT_NAMES } from "./content.ts";

const fields = fieldsKind(CONTENT_NAMES);

/** The fields that open a file, and headers that continue a delivery. */
export const download: BodyKind = {
  ...fields,
  read: readDownload,
  also: ({ name }) => HEADERS.filter(({ of }) => of === name).map(({ header }) => `header ${header}`),
  documentParameters: () =>
    HEADERS.map(({ header, description }): Json => ({
      name: header,
      in: "header",
      required: false,
      description,
      schema: { type: "string" },
    })),
};

const HEADERS = [
  {
    of: "ticket",
    header: "Secret-Ticket",
    description: "The ticket of an interrupted answer; resumes its delivery",
  },
  { of: "offset", header: "Range", description: "With a ticket: `bytes=n-`, the byte from which to go on" },
] as const;

async function readDownload(context: RequestContext, endpoint: Endpoint): Promise<RawInput> {
  const rawInput = await fields.read(context, endpoint);
  const { headers } = context.request;
  const [ticket, range] = [headers.get("secret-ticket"), headers.get("range")];
  if (ticket === null) return rawInput;
  addParameter(rawInput, { name: "ticket", value: ticket, place: "header" });
  if (range !== null) addParameter(rawInput, { name: "offset", value: readRange(range), place: "header" });
  return rawInput;
}

// RFC 9110, 14.1.2, as far as a delivery can continue: one range without an end.
function readRange(range: string): number {
  const [, first] = /^bytes=([0-9]{1,15})-$/.exec(range.trim()) ?? [];
  if (first !== undefined) return Number(first);
  throw new ApiError(
    "invalid_parameter",
    'The header Range must be "bytes=n-", the byte from which to go on',
    {
      parameter: "Range",
      in: "header",
    },
  );
}
