import { randomFillSync } from "node:crypto";
import sharp from "sharp";
import { encodeFrame } from "../../../wire/frame.ts";
import { FRAME_TYPE } from "../../../wire/rpc.ts";
import { makePdf, textPage } from "../../support/pdf-files.ts";
import { makeOrdinary } from "../../support/texts.ts";

type Bytes = Uint8Array<ArrayBuffer>;

export interface MixedRequest {
  readonly path: string;
  /** GET without one. */
  readonly body?: Bytes | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One kind of request: of a hundred so many are of it. */
interface Share {
  readonly parts: number;
  readonly make: () => MixedRequest;
}

const JSON_TYPE = { "content-type": "application/json" };
const MIB = 2 ** 20;

/** What people send in a day, all at once, and a few who send what is too much. */
export async function makeShares(): Promise<readonly Share[]> {
  const pdf = new Uint8Array(makePdf(60, textPage));
  const longPdf = new Uint8Array(makePdf(500, textPage));
  const image = await makePhotograph(1600, 1200);
  const texts = JSON.stringify(makeOrdinary(0.3));
  const file = randomFillSync(new Uint8Array(MIB));
  const tooLarge = new Uint8Array(26 * MIB);
  const json = (value: unknown) => ({ headers: JSON_TYPE, body: JSON.stringify(value) });
  const tool = (path: string, body: Bytes | string) => () => ({ path: `/api/tools/${path}`, body });
  const frame = encodeFrame({ file: pdf, angle: 90 });
  return [
    { parts: 22, make: () => ({ path: "/api/tools/password" }) },
    { parts: 5, make: () => ({ path: "/api/tools" }) },
    { parts: 5, make: () => ({ path: "/", headers: { accept: "text/html" } }) },
    { parts: 5, make: () => ({ path: "/api/openapi.json" }) },
    { parts: 15, make: () => ({ path: "/api/secrets", ...json({ content: "hush".repeat(100) }) }) },
    { parts: 4, make: () => ({ path: "/api/secrets/file?filename=a.bin", body: file }) },
    { parts: 10, make: tool("file-hash", file) },
    { parts: 5, make: tool("file-encrypt?password=only+for+this+run", file) },
    { parts: 6, make: tool("pdf-rotate?angle=90", pdf) },
    { parts: 3, make: tool("pdf-split?mode=each", longPdf) },
    { parts: 4, make: tool("image-convert?format=webp", image) },
    { parts: 2, make: tool("image-convert?format=avif", image) },
    { parts: 5, make: tool("text-compare", texts) },
    { parts: 1, make: tool("file-hash", tooLarge) },
    {
      parts: 4,
      make: () => ({ path: "/trpc/tools.pdfRotate", headers: { "content-type": FRAME_TYPE }, body: frame }),
    },
    { parts: 4, make: () => ({ path: "/trpc/tools.password", ...json({ count: 100, length: 200 }) }) },
  ];
}

async function makePhotograph(width: number, height: number): Promise<Bytes> {
  const raw = randomFillSync(new Uint8Array(300 * 200 * 3));
  const pixels = sharp(raw, { raw: { width: 300, height: 200, channels: 3 } });
  return new Uint8Array(await pixels.resize(width, height, { fit: "fill" }).jpeg().toBuffer());
}
