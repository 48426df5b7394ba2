import { FRAME_TYPE } from "../../wire/rpc.ts";
import { encodeFrame } from "../../wire/frame.ts";
import { largePdf } from "../../test/timing/support/large-files.ts";
import { makeOrdinary } from "./texts.ts";

/** A call that is legal and large. */
export interface LargeCall {
  readonly name: string;
  readonly to: string;
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: () => Uint8Array;
}

const MIB = 1024 * 1024;
/** The longest text, of which each character is six of JSON. */
const SECRET = "\u0001".repeat(499_000);

const textCompare = makeOrdinary(20);
const pdf = new Uint8Array(largePdf(24 * MIB));
const base64 = Buffer.from(pdf).toString("base64");
const file = { $bytes: base64 };
const files = [{ data: base64 }, { data: base64 }];
const batch = (inputs: readonly object[]) => Object.fromEntries(inputs.entries());

/** Bodies of JSON and answers of JSON, as large as an address may have them, about; and the same in other forms. */
export const LARGE_CALLS: readonly LargeCall[] = [
  json("compare, REST", "/api/tools/text-compare", textCompare),
  {
    ...json("compare, REST, compressed", "/api/tools/text-compare", textCompare),
    headers: { "Accept-Encoding": "gzip" },
  },
  json("compare, REST, a patch", "/api/tools/text-compare", { ...textCompare, format: "unified" }),
  json("compare, RPC", "/trpc/tools.textCompare", textCompare),
  json("compare, RPC, a batch", "/trpc/tools.textCompare,tools.textCompare?batch=1", {
    ...batch([textCompare.a, textCompare.b].map((a) => ({ a, b: "x" }))),
  }),
  framed("compare, a frame", "/trpc/tools.textCompare", textCompare),
  json("merge, REST", "/api/tools/pdf-merge", { files }),
  json("merge, REST, an envelope", "/api/tools/pdf-merge/envelope", { files }),
  json("merge, RPC", "/trpc/tools.pdfMerge", { files: [{ data: file }, { data: file }] }),
  json("rotate, RPC", "/trpc/tools.pdfRotate", { file }),
  framed("rotate, a frame", "/trpc/tools.pdfRotate", { file: pdf }),
  json("checksum, RPC", "/trpc/tools.fileHash", { file }),
  json("lock, RPC", "/trpc/tools.fileEncrypt", { file, password: "p" }),
  json("share a file, RPC", "/trpc/secrets.createFile", { file }),
  json("share a text, REST", "/api/secrets", { content: SECRET }),
  json("share ten texts, RPC", `/trpc/${Array(10).fill("secrets.create").join(",")}?batch=1`, {
    ...batch(Array.from({ length: 10 }, () => ({ content: SECRET }))),
  }),
];

function json(name: string, to: string, body: object): LargeCall {
  return { name, to, type: "application/json", body: () => Buffer.from(JSON.stringify(body)) };
}

function framed(name: string, to: string, body: object): LargeCall {
  return { name, to, type: FRAME_TYPE, body: () => encodeFrame(body) };
}
