import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { FastResponse } from "srvx";
import type { RequestContext } from "../request-context.ts";
import { qualityOf } from "./accept.ts";

/** How a file may be packed, the smaller one first. Browsers take Brotli over https and on localhost only. */
const CODINGS = ["br", "gzip"] as const;
type Coding = (typeof CODINGS)[number];

/** A file that is the same for everybody. It is packed when it is first requested. */
export interface PackedFile {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly packed: (coding: Coding) => Promise<Uint8Array<ArrayBuffer>>;
}

const zip = promisify(gzip);
const brotli = promisify(brotliCompress);
/** Brotli's best takes a second for each half a megabyte; of what is larger nobody waits for that. */
const BEST_BYTES = 200_000;
const [BEST_QUALITY, FAST_QUALITY] = [11, 6];

const PACKERS: Readonly<Record<Coding, (bytes: Uint8Array) => Promise<Uint8Array>>> = {
  br: (bytes) => {
    const quality = bytes.length > BEST_BYTES ? FAST_QUALITY : BEST_QUALITY;
    return brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
  },
  gzip: (bytes) => zip(bytes, { level: 9 }),
};

/** A file of these bytes. */
export function packedFile(read: Uint8Array): PackedFile {
  const bytes = new Uint8Array(read);
  const made = new Map<Coding, Promise<Uint8Array<ArrayBuffer>>>();
  const packed = (coding: Coding) => {
    const known = made.get(coding) ?? PACKERS[coding](bytes).then((each) => new Uint8Array(each));
    made.set(coding, known);
    return known;
  };
  return { bytes, packed };
}

/** Answers with a file, packed in the way that its reader takes. */
export async function sendPacked(
  { request }: RequestContext,
  { file, headers }: { file: PackedFile; headers: Headers },
): Promise<Response> {
  headers.set("Vary", "Accept-Encoding");
  const accepted = request.headers.get("accept-encoding");
  // Who names no coding gets none.
  const coding = accepted && CODINGS.find((each) => qualityOf(each, accepted) > 0);
  if (!coding) return new FastResponse(file.bytes, { headers });
  headers.set("Content-Encoding", coding);
  return new FastResponse(await file.packed(coding), { headers });
}
