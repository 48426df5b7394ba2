import { randomBytes } from "node:crypto";
import { gifOfExtensions, jpegOfSegments, pngOfChunks } from "../../hostile/files/many-parts.ts";
import { avifOfBoxes, tiffOfEntries, webpOfChunks } from "../../hostile/files/many-parts.ts";
import { type Attack, flood, headOf, openSocket, type Target } from "./attack.ts";

const MIB = 1024 * 1024;
const SHARED_BYTES = 20 * MIB;
const JSON_TYPE = { "content-type": "application/json" };

/** Attacks on what reads a file's header, and on what moves its bytes. */
export const EDGE_ATTACKS: readonly Attack[] = [
  {
    name: "images of very many parts",
    aims: "whatever reads headers: megabytes of empty chunks, boxes and segments",
    run: async (target) => {
      const images = await Promise.all([
        webpOfChunks(250_000),
        pngOfChunks(160_000),
        jpegOfSegments(500_000),
        gifOfExtensions(700_000),
        avifOfBoxes(250_000),
        tiffOfEntries(60_000),
      ]);
      const path = "/api/tools/image-convert?format=webp";
      await flood(target, { senders: 6, request: (i) => ({ path, body: images[i % images.length]! }) });
    },
  },
  {
    name: "texts as long as they may be",
    aims: "the event loop: two texts of 20 MB in one JSON, not all of it ASCII",
    run: async (target) => {
      const text = "é à ü line of text\n".repeat(900_000);
      const body = JSON.stringify({ a: text, b: text.replaceAll("line", "rule"), format: "unified" });
      await flood(target, { senders: 2, request: () => ({ path: "/api/tools/text-compare", body }) });
    },
  },
  {
    name: "files taken as fast as they come",
    aims: "the event loop: six downloads of 20 MiB at once, over and over",
    run: async (target) => {
      const files = await Promise.all(Array.from({ length: 6 }, () => shareFile(target)));
      await flood(target, { senders: files.length, request: (i) => requestOf(files[i % files.length]!) });
    },
  },
  {
    name: "many readers of one ticket",
    aims: "what a reader leaves behind when a newer one takes the file from it",
    run: async (target) => {
      const file = await shareFile(target);
      await flood(target, {
        senders: 24,
        request: (i) => requestOf(file, { range: `bytes=${(i * 65_537) % SHARED_BYTES}-` }),
      });
    },
  },
  {
    name: "files broken off again and again",
    aims: "the disk and the room of the database: uploads that end after a megabyte",
    run: async (target) => {
      const headers = { "content-length": String(SHARED_BYTES) };
      for (let i = 0; i < target.most && !target.signal.aborted; i++) {
        const socket = openSocket(target).resume();
        socket.write(headOf({ path: "/api/secrets/file?filename=a", headers }));
        socket.write(Buffer.alloc(MIB));
        await new Promise((resolve) => setTimeout(resolve, 20));
        socket.destroy();
      }
    },
  },
];

interface Shared {
  readonly id: string;
  readonly key: string;
  readonly ticket: string;
}

async function shareFile({ url }: Target): Promise<Shared> {
  const headers = { "x-forwarded-for": `198.51.100.${randomBytes(1)[0]}` };
  const body = Buffer.alloc(SHARED_BYTES, 7);
  const response = await fetch(`${url}/api/secrets/file?filename=a`, { method: "POST", headers, body });
  if (response.status !== 201) throw new Error(`Sharing was answered with ${response.status}`);
  // The server is this project's, so the keys are known.
  const { id, key } = (await response.json()) as Omit<Shared, "ticket">;
  return { id, key, ticket: randomBytes(16).toString("hex") };
}

function requestOf({ id, key, ticket }: Shared, headers: Record<string, string> = {}) {
  return {
    path: `/api/secrets/${id}/file`,
    headers: { ...JSON_TYPE, "secret-ticket": ticket, ...headers },
    body: JSON.stringify({ key }),
  };
}
