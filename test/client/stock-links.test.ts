import {
  createTRPCClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  isFormData,
  splitLink,
  type TRPCLink,
} from "@trpc/client";
import { expect, test } from "vitest";
import { bytesTransformer as transformer } from "../../client/index.ts";
import { failureOf } from "../../client/client.ts";
import { bytesTransformer as serverTransformer } from "../../wire/byte-tree.ts";
import type { AppRouter } from "../../router/app.ts";
import { ORIGIN } from "../support/harness.ts";
import { makeBlankPdf } from "../support/samples.ts";
import { withServer } from "../support/with-server.ts";

const service = withServer();

const url = `${ORIGIN}/trpc`;
const send = (input: RequestInfo | URL | string, init?: RequestInit) =>
  service.request(String(input).slice(ORIGIN.length), init);
// tRPC has its own type of fetch.
const fetch = send as never;

const single = httpLink<AppRouter>({ url, transformer, fetch });
const connect = (link: TRPCLink<AppRouter>) => createTRPCClient<AppRouter>({ links: [link] });

/** What a typed client has for an object of parameters, sent as something else. */
async function sendAs(input: FormData | Blob | Uint8Array, procedure: "pdfRotate" | "fileHash" | "password") {
  return connect(single).tools[procedure].mutate(input as never);
}

test("takes a form of tRPC's httpLink, with a file and the options beside it", async () => {
  const form = new FormData();
  form.set("file", new Blob([await makeBlankPdf([100, 200, 300])]), "a.pdf");
  form.set("angle", "180");
  form.set("range", "1-2");
  expect(await sendAs(form, "pdfRotate")).toMatchObject({ pages: 3, rotated: 2 });
});

test("takes octets of tRPC's httpLink as the file", async () => {
  const file = new TextEncoder().encode("hush");
  for (const octets of [file, new Blob([file]), new File([file], "a.txt")])
    expect(await sendAs(octets, "fileHash")).toMatchObject({ size: 4 });
});

test("refuses a form where a tool reads none, and a file where it has none", async () => {
  const told = (call: Promise<unknown>) => call.catch(failureOf);
  expect(await told(sendAs(new Blob(["x"]), "password"))).toMatchObject({
    code: "invalid_json",
    status: 400,
  });
  expect(await told(sendAs(new FormData(), "pdfRotate"))).toMatchObject({ status: 400 });
});

test("answers batches and streamed batches, bytes in them, and inputs that are undefined", async () => {
  for (const link of [httpBatchLink, httpBatchStreamLink]) {
    const client = connect(link<AppRouter>({ url, transformer, fetch }));
    const file = await makeBlankPdf([100]);
    const [{ tools }, instance, { passwords }, { data }] = await Promise.all([
      client.tools.catalogue.query(),
      client.instance.query(undefined),
      client.tools.password.mutate({}),
      client.tools.pdfRotate.mutate({ file }),
    ]);
    expect([tools.length > 8, typeof instance, passwords.length]).toEqual([true, "object", 1]);
    expect(new TextDecoder().decode(data.subarray(0, 5))).toBe("%PDF-");
  }
});

test("is typed for a split between forms and everything else", async () => {
  const link = splitLink<AppRouter>({
    condition: ({ input }) => isFormData(input),
    true: single,
    false: httpBatchLink({ url, transformer, fetch }),
  });
  expect((await connect(link).tools.password.mutate({})).passwords).toHaveLength(1);
});

test("the client's transformer writes and reads what the server's does, with the platform's base64", () => {
  const long = crypto.getRandomValues(new Uint8Array(30_001));
  const value = { a: [long, new Uint8Array()], $bytes: "no mark", text: "ü" };
  const written = transformer.serialize(value);
  expect(written).toEqual(serverTransformer.serialize(value));
  expect(transformer.deserialize(written)).toEqual(value);
  expect(transformer.serialize(undefined)).toBeUndefined();
  expect(() => transformer.serialize(new Blob())).toThrow("only a frame can carry");
  expect(() => transformer.deserialize({ $bytes: 1 })).toThrow(TypeError);
});
