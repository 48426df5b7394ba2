import { createHash } from "node:crypto";
import { createReadStream, openAsBlob, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createClient } from "../../client/client.ts";
import { ORIGIN } from "../support/harness.ts";
import { makeBlankPdf } from "../support/samples.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { withServer } from "../support/with-server.ts";

const service = withServer();

const connect = (send: typeof fetch = reach) => createClient(ORIGIN, { fetch: send });

function reach(input: Parameters<typeof fetch>[0], init?: RequestInit): Promise<Response> {
  return service.request(String(input).slice(ORIGIN.length), init);
}

const sha256 = (data: Uint8Array) => createHash("sha256").update(data).digest("hex");

/** A stream whose pieces only hold bytes. */
async function* inBuffers({ buffer }: Uint8Array<ArrayBuffer>): AsyncGenerator<Uint8Array> {
  const pieces: unknown[] = [buffer.slice(0, 5), new DataView(buffer, 5)];
  // As plain JavaScript may do.
  yield* pieces as Uint8Array[];
}

test("sends a file in whatever it is held", async () => {
  const data = new TextEncoder().encode("hush, all of it!");
  const shared = new Uint8Array(new SharedArrayBuffer(data.length));
  shared.set(data);
  const path = join(makeTempFolder(), "a.txt");
  writeFileSync(path, data);
  const held = [
    ...[data, Buffer.from(data), shared, new Blob([data]), new File([data], "a.txt")],
    ...[await openAsBlob(path), createReadStream(path), new Blob([data]).stream()],
    ...[data.buffer, new DataView(data.buffer), new Uint16Array(data.buffer.slice(0)), inBuffers(data)],
  ];
  for (const file of held) {
    const { digests, size } = await connect().tools.fileHash.mutate({ file });
    expect([digests.sha256, size]).toEqual([sha256(data), data.length]);
  }
});

test("sends a Blob also to a tool that needs all of it, and several of them", async () => {
  const file = new File([await makeBlankPdf([100, 200])], "a.pdf");
  const { pages } = await connect().tools.pdfRotate.mutate({ file, angle: 90 });
  expect(pages).toBe(2);
  const bytes = await makeBlankPdf([300]);
  const files = [{ data: file }, { data: bytes, range: "1" }, { data: new Blob([bytes]) }];
  expect(await connect().tools.pdfMerge.mutate({ files })).toMatchObject({ pages: 4 });
});

test("has options that are undefined", async () => {
  const client = createClient(ORIGIN, {
    fetch: reach,
    token: undefined,
    headers: undefined,
    links: undefined,
  });
  const { passwords } = await client.tools.password.mutate({ length: undefined });
  expect(passwords).toHaveLength(1);
});

test("sends the part of a buffer that a view shows, and buffers in lists", async () => {
  const { buffer } = Uint8Array.of(0, 0, 104, 117, 115, 104, 0, 0);
  const { digests } = await connect().tools.fileHash.mutate({ file: new DataView(buffer, 2, 4) });
  expect(digests.sha256).toBe(sha256(new TextEncoder().encode("hush")));
  const pdf = await new Blob([await makeBlankPdf([300])]).arrayBuffer();
  const files = [{ data: pdf }, { data: new DataView(pdf) }];
  expect(await connect().tools.pdfMerge.mutate({ files })).toMatchObject({ pages: 2 });
});

test("names the place of a value that cannot be sent, and what a file may be", async () => {
  const { tools, secrets } = connect();
  // @ts-expect-error no file
  const merging = tools.pdfMerge.mutate({ files: [{ data: new Blob() }, { data: new Response("x") }] });
  await expect(merging).rejects.toThrow(
    'A value to send holds an object of the class Response at "files.1.data", which JSON cannot carry. A file may be bytes, a Blob, a File or a stream.',
  );
  // @ts-expect-error no number
  const creating = secrets.create.mutate({ content: "hush", expires: new Date() });
  await expect(creating).rejects.toThrow('an object of the class Date at "expires"');
});

test("names an option that does not exist, and those that do", () => {
  // @ts-expect-error a word that is no option
  expect(() => createClient(ORIGIN, { tokn: "t" })).toThrow(
    "There is no option tokn; the options are token, headers, fetch, links, credentials",
  );
  for (const options of [null, "service_token_t"])
    // @ts-expect-error no options
    expect(() => createClient(ORIGIN, options)).toThrow("The options of createClient must be an object");
});

test.each([
  ["", "empty"],
  [" \n", "empty"],
  [null, "not a string"],
  [7, "not a string"],
])("refuses the token %j", (token, what) => {
  // @ts-expect-error some are no strings
  expect(() => createClient(ORIGIN, { token })).toThrow(
    `The option token is ${what}. Is the environment variable set that it is read from?`,
  );
});

test.each([
  ["hush.example", "must begin with http:// or https://, or with / on its own pages"],
  [undefined, "must begin with http:// or https://, or with / on its own pages"],
  [new URL("file:///srv/hush"), "must begin with http:// or https://, or with / on its own pages"],
  ["", "must begin with http:// or https://: it may be empty or begin with / only on a page"],
  ["/hush", "must begin with http:// or https://: it may be empty or begin with / only on a page"],
  ["http://", "cannot be read: it must be like https://hush.example"],
  ["https://hush.example:70000", "cannot be read: it must be like https://hush.example"],
  ["https://hush.example/?a=b", "must have no name, password, query or fragment"],
  ["https://hush.example/s/abc#def", "must have no name, password, query or fragment"],
  ["https://ann:word@hush.example", "must have no name, password, query or fragment"],
])("refuses the URL %j", (url, words) => {
  // @ts-expect-error one is no string
  const connecting = () => createClient(url);
  expect(connecting).toThrow(TypeError);
  expect(connecting).toThrow(`The URL of the server ${words}`);
  expect(connecting).not.toThrow(/word@/);
});

test.each([new URL(ORIGIN), `${ORIGIN}//`, ` ${ORIGIN}\n`])("takes the URL %j", async (url) => {
  const client = createClient(url, { fetch: reach });
  expect(await client.tools.fileHash.mutate({ file: new Uint8Array(3) })).toMatchObject({ size: 3 });
});

test("takes a path where a fetch of a framework knows the server", async () => {
  const client = createClient("/", { fetch: (input, init) => service.request(String(input), init) });
  expect((await client.tools.password.mutate({})).passwords).toHaveLength(1);
});
