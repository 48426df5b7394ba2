// process
import { connect } from "node:net";
import { expect, test } from "vitest";
import { describeEach, testIf } from "../machine/skips.ts";
import type { Runtime } from "../support/runtimes.ts";
import { withProcess } from "./support/with-process.ts";

describeEach("on $name", sendAmbiguous);

const HIDDEN = ["GET /healthz HTTP/1.1", "Host: a", "", ""];
const UPLOAD = ["POST /api/tools/file-hash HTTP/1.1", "Host: a", "Content-Type: application/octet-stream"];

/** What a proxy in front may take for one request, and a careless server for two (RFC 9112, 6.3 and 11.2). */
const AMBIGUOUS: [string, string[]][] = [
  ["a length beside chunks", ["Content-Length: 6", "Transfer-Encoding: chunked", "", "0", "", ...HIDDEN]],
  ["chunks behind an unknown coding", ["Transfer-Encoding: xchunked", "", "0", "", ...HIDDEN]],
  ["a blank before the colon", ["Transfer-Encoding : chunked", "", "0", "", ...HIDDEN]],
  ["two lengths", ["Content-Length: 6", "Content-Length: 0", "", ...HIDDEN]],
  ["a length that is no number", ["Content-Length: +6", "", ...HIDDEN]],
];

function sendAmbiguous(runtime: Runtime): void {
  const server = withProcess(runtime);

  /** Sends bytes as they are, and gives back all that comes until the server hangs up, or until it is enough. */
  async function send(
    bytes: string | Uint8Array,
    isEnough: (chunks: readonly Buffer[]) => boolean = () => false,
  ): Promise<Buffer> {
    const { hostname, port } = new URL(server.url);
    const socket = connect({ host: hostname, port: Number(port) });
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      if (isEnough(chunks)) socket.destroy();
    });
    // A server that does not read the rest resets the connection.
    socket.on("error", () => {});
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.once("close", () => resolve());
    socket.write(bytes);
    await promise;
    return Buffer.concat(chunks);
  }

  test.each(AMBIGUOUS)("refuses %s, and answers nothing that is hidden behind it", async (_, lines) => {
    const answer = (await send([...UPLOAD, ...lines].join("\r\n"))).toString();
    expect(answer).not.toContain('{"status":"ok"}');
    expect(answer).not.toMatch(/^HTTP\/1\.1 [^4]/m);
  });

  test("refuses a body in two transfer codings, of which a runtime undoes only one", async () => {
    const lines = ["Transfer-Encoding: gzip, chunked", "Connection: close", "", "3", "abc", "0", "", ""];
    const answer = (await send([...UPLOAD, ...lines].join("\r\n"))).toString();
    expect(answer).toMatch(/^HTTP\/1\.1 4/);
    expect(answer).not.toContain('"size":3');
    if (runtime.name === "node") expect(answer).toContain("Transfer-Encoding must be chunked");
  });

  test("answers in HTTP/1.1 where another version is offered beside a body", async () => {
    const offer = ["Connection: Upgrade, HTTP2-Settings, close", "Upgrade: h2c", "HTTP2-Settings: AAEAAEAA"];
    const answer = await send([...UPLOAD, ...offer, "Content-Length: 3", "", "abc"].join("\r\n"));
    // Deno 2.9 refuses it by itself (docs/api.md).
    expect(answer.toString()).toMatch(runtime.name === "deno" ? /^HTTP\/1\.1 400 / : /"size":3/);
  });

  test("says a length that is that of its body", async () => {
    const head = ["GET /healthz HTTP/1.1", "Host: a", "Connection: close", "", ""].join("\r\n");
    const [headers = "", body = ""] = (await send(head)).toString().split("\r\n\r\n");
    expect(headers).toMatch(new RegExp(`^content-length: ${body.length}$`, "im"));
    expect(headers).not.toMatch(/^transfer-encoding:/im);
  });

  test.each([
    ["/", "text/html"],
    ["/", "*/*"],
    ["/nowhere", "text/html"],
    ["/api/nowhere", "*/*"],
    ["/api/tools", "*/*"],
    ["/api/tools", "*/*", "gzip"],
    ["/api/tools", "*/*", "gzip;q=x, ,;;, br;q=-1, \u00ff"],
    ["/api/openapi.json", "*/*", "br"],
    ["/api/users/me", "*/*"],
    ["/api/tools/file-hash", "*/*"],
    ["/healthz", "*/*"],
    ["/robots.txt", "*/*"],
  ])(
    "HEAD %s (%s) has the headers of GET and nothing behind them",
    async (path, accept, coding = "identity") => {
      const headers = `Host: a\r\nConnection: close\r\nAccept: ${accept}\r\nAccept-Encoding: ${coding}`;
      const ask = async (method: string) =>
        (await send(`${method} ${path} HTTP/1.1\r\n${headers}\r\n\r\n`)).toString("latin1").split("\r\n\r\n");
      const [got = "", ...body] = await ask("GET");
      const head = await ask("HEAD");
      expect(head.slice(1)).toEqual([""]);
      // Bun 1.4 sends a long body of known length in chunks.
      const isCut = /^transfer-encoding:/im.test(got);
      const told = comparable(head[0] ?? "").filter((line) => !(isCut && line.startsWith("content-length:")));
      expect(told).toEqual(comparable(got));
      const [, length] = /^content-length: (\d+)/im.exec(got) ?? [];
      if (length) expect(body.join("\r\n\r\n").length).toBe(Number(length));
    },
  );

  test.each([
    ["/api/tools/password", "identity"],
    ["/api/tools", "gzip"],
    ["/trpc/instance", "br"],
  ])("HEAD %s (%s) says no length where only a run could tell it", async (path, coding) => {
    const headers = `Host: a\r\nAccept-Encoding: ${coding}\r\nConnection: close`;
    const answer = (await send(`HEAD ${path} HTTP/1.1\r\n${headers}\r\n\r\n`)).toString("latin1");
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n$/s);
    expect(answer).not.toMatch(/^content-length:/im);
  });

  testIf(runtime.name !== "deno", "Deno 2.9 speaks it without TLS")("speaks no HTTP/2", async () => {
    expect((await send(http2Request([]))).toString()).toMatch(/^HTTP\/1\.1 4/);
  });

  testIf(runtime.name === "deno", "the others speak HTTP/1.1 alone").each([
    ["transfer-encoding", "chunked"],
    ["connection", "keep-alive"],
    ["x-any", "a\r\nx-other: b"],
    ["x-any", "a\nb"],
  ])("refuses %s: %j over HTTP/2", async (...header) => {
    const answers = async (headers: readonly (readonly [string, string])[]) =>
      framesOf(await send(http2Request(headers), (chunks) => framesOf(Buffer.concat(chunks)).some(isLast)));
    expect((await answers([])).find(isLast)).toBe(DATA);
    expect([RST_STREAM, GOAWAY]).toContain((await answers([header])).find(isLast));
  });
}

/** The lines of a head that are the same for each call. How the body is cut is of the connection, not of the answer. */
function comparable(head: string): string[] {
  const isOwn = /^(?:date|request-id|ratelimit|connection|keep-alive|transfer-encoding):/i;
  return head
    .split("\r\n")
    .filter((line) => !isOwn.test(line))
    .map((line) => line.replace(/^[^:]*:/, (name) => name.toLowerCase()))
    .toSorted();
}

const [DATA, HEADERS, RST_STREAM, SETTINGS, GOAWAY] = [0, 1, 3, 4, 7] as const;
const END_OF_STREAM_AND_HEADERS = 5;

/** `GET /healthz` with these headers (RFC 9113), as bytes: no client would send them. */
function http2Request(headers: readonly (readonly [string, string])[]): Uint8Array {
  const usual = [[":method", "GET"] as const, [":scheme", "http"] as const, [":path", "/healthz"] as const];
  const block = [...usual, [":authority", "a"] as const, ...headers].map(([name, value]) =>
    literal(name, value),
  );
  return Buffer.concat([
    Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    frame(SETTINGS, Buffer.alloc(0)),
    frame(HEADERS, Buffer.concat(block), { flags: END_OF_STREAM_AND_HEADERS, stream: 1 }),
  ]);
}

function frame(type: number, payload: Buffer, { flags = 0, stream = 0 } = {}): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.set([type, flags], 3);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** The types of the frames that have come whole. */
function framesOf(bytes: Buffer): number[] {
  const types: number[] = [];
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) types.push(bytes[at + 3]!);
  return types;
}

/** Whether a frame is an answer's body, or the refusal of a request. */
function isLast(type: number): boolean {
  return type === DATA || type === RST_STREAM || type === GOAWAY;
}

/** A header field that no table has (RFC 7541, 6.2.2), of short texts. */
function literal(name: string, value: string): Buffer {
  const text = (each: string) => Buffer.concat([Buffer.from([each.length]), Buffer.from(each, "latin1")]);
  return Buffer.concat([Buffer.from([0]), text(name), text(value)]);
}
