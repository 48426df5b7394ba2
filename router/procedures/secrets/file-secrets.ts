import { TRPCError } from "@trpc/server";
import { z } from "zod";
import { sealedFileSize } from "../../../tools/crypto/file-seal.ts";
import { MAX_PASSPHRASE_LENGTH } from "../../limits.ts";
import { FormFile, digestFile, storeFile } from "./store-file.ts";
import { secretMeta } from "../../meta.ts";
import { requesterOf } from "../../policy/count.ts";
import { answerOnce } from "../../policy/once.ts";
import {
  label,
  notify,
  byteStreamField,
  expires,
  fileName,
  fileSource,
  secretId as id,
  secretStatus as status,
  secretText,
  time,
} from "../../schemas.ts";
import { limitedProcedure } from "../../trpc.ts";
import { checkLabel, checkPassphrase, lifetimeOf } from "./create-secret.ts";
import { findByKey } from "./find-secret.ts";
import { openFileSecret } from "./open-file.ts";
import { ticket as ticketText } from "./ticket.ts";
import { EXAMPLE } from "../examples.ts";

const passphrase = (description: string) => secretText(description).max(MAX_PASSPHRASE_LENGTH).optional();

const fileOptions = z.strictObject({
  filename: fileName("The name that the reader gets; it is cleaned"),
  expires,
  isEncrypted: z.boolean().default(false).describe("Whether the file was encrypted before it was sent"),
  passphrase: passphrase("Needed to read the file; ten wrong ones lock it"),
  label,
  notify,
});

// Fields after the file were sent like those before it.
function parseOptions(fields: Readonly<Record<string, unknown>>): z.output<typeof fileOptions> {
  const { data, error } = fileOptions.safeParse(fields);
  if (data) return data;
  throw new TRPCError({ code: "BAD_REQUEST", cause: error });
}

const createFile = limitedProcedure("secretCreates")
  .meta(
    secretMeta("POST", "/api/secrets/file", {
      summary: "Share a file once",
      description:
        "Encrypts the file as it arrives, with a key that only the link has. It can be read once. The database " +
        "shows its size and nothing else.",
      body: "upload",
      containerSize: sealedFileSize,
      status: 201,
      text: { field: "url", by: "raw" },
      retry: "key",
      examples: { raw: `${EXAMPLE.link}\n` },
    }),
  )
  .input(z.strictObject({ file: fileSource("The file"), ...fileOptions.shape }))
  .output(
    z.object({
      id: z.string().describe("A handle, not a secret"),
      url: z.string().describe("The link to share; the key is the part after the #"),
      key: z.string().describe("Shown once, never stored"),
      expiry: time,
      status,
      isEncrypted: z.boolean(),
      hasPassphrase: z.boolean(),
      kind: z.literal("file"),
      size: z.int().describe("Size of the file in bytes"),
      revokeToken: z.string().describe("Shown once; revokes the secret and reads its status"),
    }),
  )
  .mutation(async ({ input: { file, ...options }, ctx, path, signal }) => {
    const check = (all: z.output<typeof fileOptions>) => {
      checkLabel(all.label, ctx.caller);
      return { ...all, expires: lifetimeOf(all.expires, ctx) };
    };
    const withLater = (fields: Readonly<Record<string, unknown>>) => {
      const all = check(parseOptions({ ...options, ...fields }));
      checkPassphrase(all.passphrase, ctx);
      return all;
    };
    // In a form the passphrase may come after the file.
    if (!(file instanceof FormFile)) checkPassphrase(options.passphrase, ctx);
    const upload = { file, options: check(options), withLater, signal };
    const fieldsWith = (digest: string) => {
      const later = file instanceof FormFile ? file.laterFields : {};
      return { ...parseOptions({ ...options, ...later }), file: digest };
    };
    const readFields = async () => fieldsWith(await digestFile(upload, ctx));
    const secret = await answerOnce({ ctx, path, readFields }, (call) => {
      const first = call && {
        extend: call.extend,
        keep: (answer: object, digest: string) => call.keep(answer, fieldsWith(digest)),
      };
      return storeFile({ ...upload, first }, ctx);
    });
    ctx.responseHeaders.set("location", `${ctx.services.basePath}/api/secrets/${secret.id}`);
    return secret;
  });

const openFile = limitedProcedure("secretReads")
  .meta(
    secretMeta("POST", "/api/secrets/{id}/file", {
      retry: "ticket",
      summary: "Read a file, once",
      description:
        "Claims the file: from the first byte on it is yours alone. With the ticket of this answer, or your own, the " +
        "same call goes on after a cut, until you say that you have received it, for ten minutes after a byte was " +
        "last taken, and a day at most.",
      body: "download",
      result: "download",
      errors: [403, 404, 410, 416, 422],
    }),
  )
  .input(
    z.strictObject({
      id,
      key: secretText("The key: the part of the link after the #, up to the first dot"),
      passphrase: passphrase("The passphrase, if the secret has one"),
      ticket: ticketText.optional(),
      offset: z.int().min(0).default(0).describe("With a ticket: the byte from which to go on"),
    }),
  )
  .output(
    z.object({
      id: z.string(),
      name: z.string().describe("File name"),
      type: z.string().describe("Media type"),
      size: z.int().describe("Size of the whole file in bytes"),
      isEncrypted: z.boolean(),
      offset: z.int().describe("The byte of the file with which `data` begins"),
      ticket: z.string().describe("With it this call goes on after a cut"),
      data: byteStreamField("The file from `offset` on"),
    }),
  )
  .mutation(async ({ input, ctx, signal }) => {
    const { services, responseHeaders } = ctx;
    const { key, passphrase: given, ticket, offset } = input;
    const secret = await findByKey(input, services);
    const reading = { services, key, passphrase: given, requester: requesterOf(ctx, signal) };
    const file = await openFileSecret(secret, { ...reading, ticket, offset }, ctx);
    responseHeaders.set("secret-ticket", file.ticket);
    return file;
  });

export const fileSecrets = { createFile, openFile };
