import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import sharp from "sharp";
import { endpoints } from "../../adapters/service/endpoints.ts";
import type { Endpoint } from "../../adapters/trpc/adapter.ts";
import { methodsOf } from "../../adapters/trpc/endpoints.ts";
import { encodeFrame } from "../../wire/frame.ts";
import { FRAME_TYPE } from "../../wire/rpc.ts";
import { makeBlankPdf } from "../support/samples.ts";
import type { Known } from "./known.ts";
import { mutate } from "./mutate.ts";
import type { Random } from "./random.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface FuzzedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: Bytes;
}

const FILES = ["encrypted/", "heic/"].map((folder) => new URL(`../files/${folder}`, import.meta.url));

/** What the requests are made from: whole files of every kind that a tool takes. */
export async function makeFiles(locked: Bytes): Promise<readonly Bytes[]> {
  const pixels = { width: 40, height: 30, channels: 4 as const, background: "#88aa4480" };
  const formats = ["png", "jpeg", "webp", "gif", "tiff", "avif"] as const;
  const images = formats.map((format) => sharp({ create: pixels }).toFormat(format).toBuffer());
  const kept = FILES.flatMap((folder) =>
    readdirSync(folder).map((name) => readFileSync(new URL(name, folder))),
  );
  const all = [...kept, ...(await Promise.all(images)), await makeBlankPdf([200, 300, 400]), locked];
  return all.map((bytes) => new Uint8Array(bytes));
}

/** A request that is nearly right, to any route of either API. */
export function makeRequest(random: Random, from: From): FuzzedRequest {
  const endpoint = random.pick(endpoints);
  const parts = { random, ...from };
  const request = random.oneIn(20)
    ? pageRequest(parts)
    : (random.oneIn(2) ? restRequest : rpcRequest)(endpoint, parts);
  const { body, headers } = request;
  if (body === undefined) return request;
  const changed = random.oneIn(4) ? body : mutate(body, random);
  if (!random.oneIn(12)) return { ...request, body: changed };
  const packed = new Uint8Array(gzipSync(changed));
  const encoding = { "content-encoding": random.pick(["gzip", "deflate"]) };
  return {
    ...request,
    headers: { ...headers, ...encoding },
    body: random.oneIn(2) ? packed : mutate(packed, random),
  };
}

/** What requests are made from. */
export interface From {
  readonly files: readonly Bytes[];
  readonly known: Known;
}

interface Parts extends From {
  readonly random: Random;
}

const PAGES = ["/", "/docs", "/s/x", "/r/x/collect", "/assets/x.js", "/offline.js", "/healthz", "/readyz"];
const OTHERS = ["/version", "/api/openapi.json", "/api/tools/none", "/trpc", "/trpc/", "/%00", "/x", "//x"];

/** Pages, health checks and paths that do not exist. */
function pageRequest({ random, known }: Parts): FuzzedRequest {
  const method = random.pick(["GET", "GET", "HEAD", "OPTIONS", "DELETE"]);
  const path = random.pick([...PAGES, ...OTHERS]) + random.pick(["", "?x", "?%ff", "#x", "/.."]);
  const accept = random.pick(["text/html", "*/*", ",;q=x"]);
  return { method, path, headers: { ...headersOf({ random, known }), accept } };
}

function restRequest(endpoint: Endpoint, parts: Parts): FuzzedRequest {
  const { random, files, known } = parts;
  const method = random.oneIn(10)
    ? random.pick(["GET", "PUT", "HEAD", "OPTIONS"])
    : random.pick(methodsOf(endpoint));
  const wrongId = random.pick(["0123456789abcdef", "%00", "..", "é", "x".repeat(500)]);
  const id = random.oneIn(3) ? wrongId : random.pick(known.values.id ?? [wrongId]);
  const path = random.pick(endpoint.paths).replace("{id}", id) + queryOf(endpoint, random);
  const headers = headersOf(parts);
  if (method === "GET" || method === "HEAD") return { method, path, headers };
  const isFile = ["file", "stream", "upload"].includes(endpoint.http.body);
  if (isFile && !random.oneIn(8)) return { method, path, headers, body: random.pick(files) };
  const form = random.oneIn(4) ? formOf(random, files) : undefined;
  return {
    method,
    path,
    headers: { ...headers, ...form?.headers },
    body: form?.body ?? json(valuesOf(endpoint, parts, base64)),
  };
}

function rpcRequest(endpoint: Endpoint, parts: Parts): FuzzedRequest {
  const { random } = parts;
  const path = `/trpc/${endpoint.rpc}`;
  const headers = headersOf(parts);
  const method = endpoint.procedure._def.type === "query" ? "GET" : "POST";
  if (random.oneIn(2)) {
    const input = valuesOf(endpoint, parts, (file) => file);
    return {
      method: "POST",
      path,
      headers: { ...headers, "content-type": FRAME_TYPE },
      body: encodeFrame(input),
    };
  }
  const input = valuesOf(endpoint, parts, (file) => ({ $bytes: base64(file) }));
  // Long enough for a worker to read it.
  if (random.oneIn(10)) input.zz = "A".repeat(600_000);
  const type = { "content-type": "application/json" };
  if (method === "GET")
    return {
      method,
      path: `${path}?input=${encodeURIComponent(JSON.stringify(input)).slice(0, 4000)}`,
      headers,
    };
  const isBatch = random.oneIn(4);
  const called = isBatch ? `${path},${random.pick(endpoints).rpc}?batch=1` : path;
  return {
    method,
    path: called,
    headers: { ...headers, ...type },
    body: json(isBatch ? { 0: input, 1: input } : input),
  };
}

const TEXTS = [
  "",
  "x",
  "a\nb\n",
  "1-3,end",
  "webp",
  "\ud800",
  "null",
  "é".repeat(300),
  "true",
  "-1",
  "0",
  "65536",
];

/** A value for most parameters, seldom of the right kind. */
function valuesOf(
  endpoint: Endpoint,
  { random, files, known }: Parts,
  encode: (file: Bytes) => unknown,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { name, type, enum: allowed, default: fallback } of endpoint.input.parameters) {
    if (random.oneIn(5)) continue;
    const file = () => encode(random.pick(files));
    const text = random.pick(known.values[name] ?? TEXTS);
    const right = type === "file" ? file() : allowed ? random.pick(allowed) : (fallback ?? text);
    const wrong = random.pick([null, -1, 1e21, [], [[[]]], {}, true, ...TEXTS]);
    values[name] = random.oneIn(4) ? wrong : right;
    if (name === "files") values[name] = [{ data: file(), range: random.pick(TEXTS) }, { data: file() }];
  }
  return values;
}

function queryOf({ input: { names: known } }: Endpoint, random: Random): string {
  if (random.oneIn(3)) return "";
  const names = [...known, "raw", "zz", "__proto__"];
  const pairs = Array.from(
    { length: random.below(6) },
    () => `${random.pick(names)}=${random.pick(QUERY_TEXTS)}`,
  );
  return `?${pairs.join("&")}`;
}

const QUERY_TEXTS = [
  "",
  "1",
  "end-2",
  "p",
  "%ff",
  "%",
  "a+b",
  "webp",
  "keep",
  "lock",
  "unlock",
  "true",
  "99999999999",
];

function headersOf({ random, known }: Pick<Parts, "random" | "known">): Record<string, string> {
  const maybe = (name: string, values: readonly string[]) =>
    random.oneIn(6) ? { [name]: random.pick(values) } : {};
  return {
    ...maybe("accept", ["application/json", "*/*;q=0", ",,;q=", "application/jsonl", "text/plain"]),
    ...maybe("content-type", [
      "application/json",
      "text/plain; charset=utf-16",
      "multipart/form-data",
      ";",
      FRAME_TYPE,
    ]),
    ...maybe("authorization", ["Bearer x", "Basic eDp4", `Bearer service_token_${"a".repeat(38)}`]),
    ...maybe("cookie", ["service_user_session=x", "service_user_session=a; service_user_session=b", "=;="]),
    ...maybe("tool-password", ["p", "%ff", "%00"]),
    ...maybe("trpc-accept", ["application/jsonl"]),
    ...maybe("range", ["bytes=1-", "bytes=0-0,2-3", "bytes=-1", "bytes=9999999999-", "x"]),
    ...maybe("secret-ticket", ["x", "0".repeat(32)]),
    ...maybe("secret-passphrase", ["p", "%ff"]),
    ...maybe("if-none-match", ["*", '"x"']),
    ...(random.oneIn(2) ? random.pick(known.credentials) : {}),
  };
}

function formOf(random: Random, files: readonly Bytes[]) {
  const boundary = random.pick(["x", "--", "x".repeat(70)]);
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${random.pick(["file", "content", "range[0]"])}"`;
  const name = random.oneIn(3) ? "" : '; filename="a.pdf"';
  const parts = [`${head}${name}\r\n\r\n`, random.pick(files), `\r\n--${boundary}--\r\n`];
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  return {
    headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
    body: new Uint8Array(body),
  };
}

function base64(bytes: Bytes): string {
  return Buffer.from(bytes).toString("base64");
}

function json(value: unknown): Bytes {
  return new Uint8Array(Buffer.from(JSON.stringify(value)));
}
