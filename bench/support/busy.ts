// Clients that keep a server at work until they are ended: `busy.ts <url> <load> ...`
import { randomFillSync } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import type { Bytes } from "../../wire/bytes.ts";
import { makePdf, textPage } from "./pdf-files.ts";
import { shuffledLines } from "./texts.ts";

/** One kind of load: a number of clients, each calling again as soon as it is answered. */
interface Load {
  readonly clients: number;
  readonly path: string;
  readonly type: string;
  readonly body: () => Promise<Bytes>;
}

/** Each alone fills the lane that it waits in. */
export const LOADS = {
  splits: {
    clients: 4,
    path: "/api/tools/pdf-split?mode=each",
    type: "application/pdf",
    body: async () => new Uint8Array(makePdf(500, textPage)),
  },
  conversions: {
    clients: 3,
    path: "/api/tools/image-convert?format=avif",
    type: "image/jpeg",
    body: makePhotograph,
  },
  comparisons: {
    clients: 3,
    path: "/api/tools/text-compare",
    type: "application/json",
    body: async () => new TextEncoder().encode(JSON.stringify(shuffledLines(150_000))),
  },
  derivations: {
    clients: 3,
    path: "/api/tools/file-encrypt?direction=lock&password=only+for+this+run",
    type: "application/octet-stream",
    body: async () => randomFillSync(new Uint8Array(1_000_000)),
  },
} as const satisfies Record<string, Load>;

export type LoadName = keyof typeof LOADS;

let from = 0;
const done = Object.fromEntries(Object.keys(LOADS).map((name) => [name, 0])) as Record<LoadName, number>;

async function keepCalling(url: string, { name, body }: { name: LoadName; body: Bytes }): Promise<never> {
  const { path, type } = LOADS[name];
  for (;;) {
    from++;
    const headers = { "content-type": type, "x-forwarded-for": `10.9.${(from >> 8) & 255}.${from & 255}` };
    const answer = await fetch(url + path, { method: "POST", headers, body });
    const { length } = new Uint8Array(await answer.arrayBuffer());
    // What has waited ten seconds is refused, and tries again like any client.
    if (answer.status === 503) {
      await setTimeout(1000 * Number(answer.headers.get("retry-after") ?? 1));
      continue;
    }
    if (answer.status !== 200)
      throw new Error(`The load ${name} was answered ${answer.status} with ${length} bytes`);
    done[name] += 1;
  }
}

async function makePhotograph(): Promise<Bytes> {
  const raw = randomFillSync(new Uint8Array(300 * 200 * 3));
  const image = sharp(raw, { raw: { width: 300, height: 200, channels: 3 } }).resize(4000, 2667);
  return new Uint8Array(await image.jpeg().toBuffer());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [url = "", ...names] = process.argv.slice(2);
  const loads = names as LoadName[];
  const bodies = await Promise.all(loads.map(async (name) => ({ name, body: await LOADS[name].body() })));
  process.on("SIGTERM", () => {
    console.log(loads.map((name) => `${done[name]} ${name}`).join(", "));
    process.exit();
  });
  console.log("begun");
  await Promise.all(
    bodies.flatMap((each) => Array.from({ length: LOADS[each.name].clients }, () => keepCalling(url, each))),
  );
}
