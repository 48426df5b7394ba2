import { z } from "zod";
import { CURSOR } from "../db/pages.ts";
import { ByteStream, type FileInput, type FileSource, type HeldInput } from "../wire/byte-pieces.ts";
import { sentNameOf, type Bytes } from "../wire/bytes.ts";
import { JsonText } from "../wire/json/json-text.ts";
import { MAX_TOKEN_NAME_LENGTH } from "../wire/limits.ts";
import { type DescribedWarning, warningCodes, type WarningFields } from "../wire/tool-warning.ts";
import {
  DEFAULT_LIMITS,
  MAX_FILE_NAME_LENGTH,
  MAX_HANDLE_LENGTH,
  MAX_LABEL_LENGTH,
  MAX_PASSWORD_LENGTH,
  type Limits,
} from "./limits.ts";

/** The input of a procedure without parameters: an empty object, or nothing. */
export const noInput = z.strictObject({}).prefault({});

/** A member's name for a token or a passkey. */
export const chosenName = z
  .string()
  .min(1)
  // What is too long is not looked at.
  .max(MAX_TOKEN_NAME_LENGTH, { abort: true })
  .regex(/[\p{L}\p{N}\p{P}\p{S}]/u, "must have a letter, a digit or a sign")
  .regex(
    /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]*$/u,
    "must be text without control characters",
  );

/** The account's password, where it has to be repeated. */
const ownPassword = z.string().meta({ description: "Your current password", format: "password" }).optional();

/** A code of the authenticator app, in addition to the password. */
const ownCode = z
  .string()
  .max(MAX_HANDLE_LENGTH)
  .meta({
    description: "The code of your authenticator app beside it, where the account has one",
    format: "password",
  })
  .optional();

/** The repeated credentials that a procedure asks for later than ten minutes after a login. */
export const provenAgain = { password: ownPassword, code: ownCode };

/** The input of a procedure that takes nothing else. */
export const confirmation = z.strictObject(provenAgain).prefault({});

// zod has one type for both input and output of custom schemas.
function binary<Output, Input>(isLegal: (value: unknown) => boolean, description: string) {
  const message = 'must be the bytes of a file: in JSON base64, over RPC { "$bytes": base64 }';
  const schema = z.custom<Output>(isLegal, message).meta({ description, type: "string", format: "binary" });
  return schema as unknown as z.ZodCustom<Output, Input>;
}

/** A whole file in memory. Callers may send it from a disk, too. */
export function bytesField(description: string) {
  return binary<Bytes, HeldInput>((value) => value instanceof Uint8Array, description);
}

/** A file that may still be arriving. */
export function fileSource(description: string) {
  return binary<FileSource, FileInput | HeldInput>(isFileSource, description);
}

function isFileSource(value: unknown): boolean {
  const isStream = typeof value === "object" && value !== null && Symbol.asyncIterator in value;
  return isStream || [Uint8Array, Blob, ByteStream].some((kind) => value instanceof kind);
}

/** A file that is read once, while it is made. */
export function byteStreamField(description: string) {
  return binary<ByteStream, ByteStream>((value) => value instanceof ByteStream, description);
}

/** Text that must not appear in any answer or log. */
export function secretText(description: string) {
  return z.string().meta({ description, format: "password" });
}

/** The password of a PDF that is given. */
export const pdfPassword = (description = "Password that opens the document; try without it first") =>
  secretText(description).max(MAX_PASSWORD_LENGTH).optional();

/** The owner's name for a secret or a request, encrypted in the browser. */
export const label = z
  .string()
  .max(MAX_LABEL_LENGTH)
  .regex(/^l1\.[\w-]+$/, "must be a label that a page has sealed (docs/formats.md)")
  .optional()
  .describe("For members: what they call it, sealed in their browser; shown in their list");

/** Whether the owner's hooks are told what happens to it. */
export const notify = z
  .boolean()
  .default(true)
  .describe("For members: whether your hooks are told what becomes of it; without one nobody is");

/** The owner's name for a secret or a request, in a member's list. */
export const ownLabel = z.string().optional().describe("What you called it, sealed in your browser");

/** A point in time. */
export const time = z.string().meta({ description: "RFC 3339, UTC", format: "date-time" });

// Of any length: a text that cannot be an id gets the same answer as an unknown id.
export const secretId = z.string().describe("The secret's id");

// The title names a schema in the document that occurs in several places.
export const secretStatus = z
  .enum(["active", "revealed", "revoked", "expired", "locked"])
  .meta({ title: "SecretStatus" });

// Of any length, for the same reason.
export const requestId = z.string().describe("The request's id");

/** For a secret or a request. The longest lifetime depends on the caller; the procedure checks it. */
export const expires = z.int().optional().meta(lifetimeSchema(DEFAULT_LIMITS));

/** How the document describes lifetimes, for an instance with these limits. */
export function lifetimeSchema({ anonymous, member, defaultSeconds }: Limits) {
  const { minimum, maximum, offered } = member.lifetimes;
  const bounds = { minimum, maximum, default: defaultSeconds };
  if (offered === undefined || anonymous.lifetimes.offered === undefined)
    return {
      description: `Lifetime in seconds, ${minimum} to ${anonymous.lifetimes.maximum} (members: to ${maximum})`,
      ...bounds,
    };
  const members = offered.filter((seconds) => seconds > anonymous.lifetimes.maximum);
  const more = members.length > 0 ? ` (members: also ${members.join(", ")})` : "";
  const list = anonymous.lifetimes.offered.join(", ");
  return { description: `Lifetime in seconds, one of ${list}${more}`, enum: [...offered], ...bounds };
}

export const requestStatus = z
  .enum(["open", "answered", "collected", "cancelled", "expired"])
  .meta({ title: "RequestStatus" });

/** The name of a file. */
export function fileName(description: string) {
  return z.string().max(MAX_FILE_NAME_LENGTH).optional().describe(description);
}

/** Sets the name of the result; the tool does not get it. */
export const filename = fileName(
  "File name of the result; it is cleaned and gets the right extension. Without it a file that was sent with a name, " +
    "as in a form, keeps that, with what was done to it: scan-rotated.pdf",
);

/** The options of a tool that names its result after the file, where none is asked for. */
export function withSentName<Options extends object>(
  file: Bytes,
  options: Options,
): Options & { readonly sentName: string | undefined } {
  return { ...options, sentName: sentNameOf(file) };
}

/** The answer of a tool that makes a file: typed bytes over RPC; raw bytes or an envelope over REST. */
export function fileResult<Extras extends z.ZodRawShape>(extras: Extras) {
  return z.object({
    tool: z.string().describe("Name of the tool"),
    name: z.string().describe("File name"),
    type: z.string().describe("Media type of the file"),
    size: z.int().describe("Size in bytes"),
    // Bytes for the caller, also where they are sent piece by piece.
    data: binary<Bytes, Bytes | ByteStream>(
      (value) => value instanceof Uint8Array || value instanceof ByteStream,
      "The file; base64 in the JSON envelope",
    ),
    sha256: z.string().describe("SHA-256 of the file in hexadecimal"),
    ...extras,
    warnings: z.array(toolWarning).describe("What was lost or ignored"),
  });
}

const warningFields = {
  parameter: z.string().optional().describe("A name that was sent"),
  nearest: z.string().optional().describe("The known name that is most like it"),
  frames: z.int().optional().describe("Frames of the animation"),
  standard: z.string().optional().describe("Such as PDF/A-1"),
  fields: z.int().optional().describe("How many form fields"),
  files: z.int().optional().describe("How many files of the result"),
  images: z.int().optional().describe("How many images"),
  clause: z.string().optional().describe("Clause of that standard, such as 6.1.3"),
} satisfies Record<keyof WarningFields, z.ZodType>;

// The table in wire/tool-warning.ts gives each code its fields, which an object with all of them cannot say.
export const toolWarning: z.ZodType<DescribedWarning> = z
  .object({
    code: z.enum(warningCodes).describe("Names what was lost or ignored"),
    message: z.string().describe("One sentence for people"),
    file: z
      .object({ index: z.int().min(0), name: z.string().optional() })
      .optional()
      .describe("Which of several files it is about, from 0"),
    ...warningFields,
  })
  .meta({ title: "ToolWarning" }) as z.ZodType<DescribedWarning>;

/**
 * A list that came from a tool, often as JSON that a worker wrote. Checking a million rows against a schema would take
 * longer than making them.
 */
export function uncheckedList<Item>(item: z.ZodType) {
  const { $schema: _, ...items } = z.toJSONSchema(item);
  return z
    .custom<Item[]>((value) => Array.isArray(value) || value instanceof JsonText)
    .meta({ type: "array", items });
}

/** How a list is asked for, one page at a time. */
export const paging = {
  limit: z.int().min(1).max(100).default(50).describe("Most entries in the answer"),
  cursor: z
    .string()
    .max(80)
    .regex(CURSOR, "must be the `next` of an earlier answer")
    .optional()
    .describe("The `next` of the previous answer"),
};

export const nextPage = z
  .string()
  .nullable()
  .describe("Send it as `cursor` to get the next page; null at the end");

// Lengths of what is drawn at random, in base62 digits of 5.95 bits (docs/formats.md).

/** Handles of secrets: 95 bits. */
export const SECRET_ID_LENGTH = 16;
/** The key in a secret's link: 131 bits. */
export const SECRET_KEY_LENGTH = 22;
/** 190 bits. */
export const REVOKE_TOKEN_LENGTH = 32;

/** What the asker of a secret keeps to collect the answer: 190 bits. */
export const COLLECT_TOKEN_LENGTH = 32;

/** With it the delivery of a file goes on after a cut: 190 bits. */
export const TICKET_LENGTH = 32;

/** Handles of members, sessions and API tokens; knowing one gives no access. */
export const HANDLE_LENGTH = 16;
/** The value of a session's cookie: 256 bits. */
export const SESSION_VALUE_LENGTH = 43;
/** The random part of an API token: 190 bits. */
export const API_TOKEN_RANDOM_LENGTH = 32;
