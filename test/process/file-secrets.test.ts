// process
import { randomFillSync } from "node:crypto";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../db/open.ts";
import { sweepFiles } from "../../db/secrets/secret-files.ts";
import { describeShared, type TestDatabase } from "../db/support/harness.ts";
import { runtimesHere } from "../machine/skips.ts";
import { freshIp } from "../support/fresh-ip.ts";
import { startInstance } from "./support/instances.ts";
import type { RunningServer } from "./support/server.ts";
import { showLogs } from "./support/with-process.ts";

/** More than all the buffers between a server and its client. */
const FILE = randomFillSync(new Uint8Array(12 * 2 ** 20));
const UPLOAD_SECONDS = 1800;
/** Bun says of no stream how long it is. */
const LENGTHS = [
  String(FILE.length),
  ...(runtimesHere().some(({ name }) => name === "bun") ? [undefined] : []),
];

interface Link {
  readonly id: string;
  readonly key: string;
}

interface Taken {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

/** Sends the file. */
async function share({ url }: RunningServer): Promise<Link> {
  const headers = { "x-forwarded-for": freshIp() };
  const response = await fetch(`${url}/api/secrets/file`, { method: "POST", body: FILE, headers });
  if (response.status !== 201) throw new Error(`Sharing was answered with ${response.status}`);
  return (await response.json()) as Link;
}

/**
 * Begins a call on a connection of its own. The clients of runtimes differ in what they still read for a reader that
 * stands still, and when they hang up.
 */
function beginCall({ url }: RunningServer, path: string, headers: Record<string, string | number>): Socket {
  const { host, hostname, port } = new URL(url);
  const sent = { host, connection: "close", "x-forwarded-for": freshIp(), ...headers };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  const socket = connect(Number(port), hostname);
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join("")}\r\n`);
  return socket;
}

function readHead(text: string): Pick<Taken, "status" | "headers"> {
  const [first = "", ...lines] = text.split("\r\n");
  const headers = lines
    .map((line) => line.split(": "))
    .map(([name = "", value]) => [name.toLowerCase(), value]);
  return { status: Number(first.split(" ")[1]), headers: Object.fromEntries(headers) };
}

/** Undoes chunks (RFC 9112, 7.1), of which a piece may begin and end anywhere. */
function chunkReader(): (piece: Buffer) => Buffer {
  let [held, left] = [Buffer.alloc(0), 0];
  return (piece) => {
    held = Buffer.concat([held, piece]);
    const parts: Buffer[] = [];
    while (held.length > 0) {
      if (left === 0) {
        const [line, size = ""] = /^(?:\r\n)?([0-9a-f]+)\r\n/i.exec(held.toString("latin1", 0, 32)) ?? [];
        if (line === undefined) break;
        held = held.subarray(line.length);
        left = parseInt(size, 16);
        if (left === 0) break;
      }
      const part = held.subarray(0, left);
      parts.push(part);
      held = held.subarray(part.length);
      left -= part.length;
    }
    return Buffer.concat(parts);
  };
}

/** Takes a file, or its first `atMost` bytes and then what `afterwards` does: by itself it hangs up. */
async function take(
  server: RunningServer,
  { id, key }: Link,
  { headers = {}, atMost = Infinity, afterwards = async () => {}, whenPaused }: TakeOptions = {},
): Promise<Taken> {
  const asked = JSON.stringify({ key });
  const of = { "content-type": "application/json", "content-length": asked.length };
  const socket = beginCall(server, `/api/secrets/${id}/file`, { ...of, ...headers });
  socket.write(asked);
  let head: Pick<Taken, "status" | "headers"> | undefined;
  let read = Buffer.alloc(0);
  const pieces: Buffer[] = [];
  let size = 0;
  let unpack = (piece: Buffer) => piece;
  try {
    for await (const piece of socket as AsyncIterable<Buffer>) {
      if (head) pieces.push(unpack(piece));
      else {
        read = Buffer.concat([read, piece]);
        const end = read.indexOf("\r\n\r\n");
        if (end < 0) continue;
        head = readHead(read.toString("latin1", 0, end));
        if (head.headers["transfer-encoding"] === "chunked") unpack = chunkReader();
        pieces.push(unpack(read.subarray(end + 4)));
      }
      size += pieces.at(-1)!.length;
      if (size < atMost) continue;
      if (!whenPaused) {
        await afterwards();
        break;
      }
      atMost = Infinity;
      await whenPaused({ "secret-ticket": String(head.headers["secret-ticket"]) });
    }
  } catch (error) {
    // The cut of the older reader.
    if (!whenPaused || !head) throw error;
  }
  socket.destroy();
  if (!head) throw new Error("There was no answer");
  return { ...head, bytes: Buffer.concat(pieces) };
}

interface TakeOptions {
  readonly headers?: Record<string, string>;
  readonly atMost?: number;
  readonly afterwards?: () => Promise<void>;
  /** Runs while the reader stands still after `atMost` bytes; then it reads on until the end or a cut. */
  readonly whenPaused?: (ticket: Record<string, string>) => Promise<void>;
}

/** Says that all of it was received. */
async function confirm({ url }: RunningServer, { id, key }: Link, taken: Taken): Promise<void> {
  const headers = { "content-type": "application/json", "x-forwarded-for": freshIp() };
  const body = JSON.stringify({ key, ticket: ticketOf(taken)["secret-ticket"] });
  const response = await fetch(`${url}/api/secrets/${id}/received`, { method: "POST", headers, body });
  expect([response.status, await response.json()]).toEqual([200, { id, status: "revealed" }]);
}

const ticketOf = ({ headers }: Taken) => ({ "secret-ticket": String(headers["secret-ticket"]) });
const isFile = (...parts: Taken[]) => Buffer.concat(parts.map(({ bytes }) => bytes)).equals(FILE);

/** Begins an upload that stops in the middle and waits; what ends the connection there is. */
function shareHalf(server: RunningServer): { hangUp: () => void; ended: Promise<unknown> } {
  const socket = beginCall(server, "/api/secrets/file", { "content-length": FILE.length });
  socket.on("error", () => {});
  socket.write(FILE.subarray(0, FILE.length / 2));
  const ended = new Promise((resolve) => socket.once("close", resolve));
  return { hangUp: () => void socket.destroy(), ended };
}

describeShared("files of secrets on one %s", (make) => {
  let [place, db] = [] as unknown as [TestDatabase, Database];
  let [one, other] = [] as unknown as [RunningServer, RunningServer];
  beforeAll(async () => {
    place = await make();
    one = await startInstance(place.url);
    other = await startInstance(place.url);
    db = await place.open();
  });
  afterAll(async () => {
    await Promise.all([one?.stop(), other?.stop()]);
    await db?.close();
    await place?.drop();
  });
  showLogs(() => [one, other]);

  const left = async () => {
    const chunks = db.query.selectFrom("secret_chunk").select(({ fn }) => fn.countAll<number>().as("count"));
    const files = await db.query.selectFrom("secret_file").select("size").execute();
    return { files: files.length, chunks: Number((await chunks.executeTakeFirstOrThrow()).count) };
  };
  const nothing = { files: 0, chunks: 0 };

  test("go to one of all who ask anywhere at the same time, whole, and leave nothing", async () => {
    const link = await share(one);
    const asked = await Promise.all(Array.from({ length: 8 }, (_, i) => take(i % 2 ? one : other, link)));
    expect(asked.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(410)]);
    const winner = asked.find(({ status }) => status === 200)!;
    expect(isFile(winner)).toBe(true);
    await confirm(other, link, winner);
    await expect.poll(left).toEqual(nothing);
  });

  test("go on after a cut on another instance, for whoever has the ticket alone", async () => {
    const link = await share(one);
    const first = await take(one, link, { atMost: 3_000_000 });
    expect(first.status).toBe(200);
    expect(LENGTHS).toContain(first.headers["content-length"]);
    const ticket = ticketOf(first);
    expect((await take(other, link)).status).toBe(410);
    expect((await take(other, link, { headers: { "secret-ticket": "x".repeat(32) } })).status).toBe(410);
    const past = { ...ticket, range: `bytes=${FILE.length}-` };
    expect((await take(other, link, { headers: past })).status).toBe(416);
    const range = (from: number) => ({ ...ticket, range: `bytes=${from}-` });
    const second = await take(other, link, { headers: range(first.bytes.length), atMost: 5_000_001 });
    const third = await take(one, link, { headers: range(first.bytes.length + second.bytes.length) });
    expect([second.status, third.status, isFile(first, second, third)]).toEqual([206, 206, true]);
    expect(isFile(await take(other, link, { headers: ticket }))).toBe(true);
    await confirm(one, link, first);
    expect((await take(one, link, { headers: ticket })).status).toBe(410);
    await expect.poll(left).toEqual(nothing);
  });

  test("have one reader for a ticket, the newest, on whatever instance the older one reads", async () => {
    for (const older of [one, other]) {
      const link = await share(one);
      let rest: Taken | undefined;
      const first = await take(older, link, {
        atMost: 100_000,
        whenPaused: async (headers) => {
          rest = await take(one, link, { headers });
        },
      });
      expect(rest && isFile(rest)).toBe(true);
      expect(first.bytes.length).toBeLessThan(FILE.length);
      await confirm(one, link, first);
    }
    await expect.poll(left).toEqual(nothing);
  });

  test("go on where the process that delivered them was killed", async () => {
    const mortal = await startInstance(place.url);
    onTestFinished(mortal.kill);
    const link = await share(mortal);
    const first = await take(mortal, link, { atMost: 2_000_000, afterwards: () => mortal.kill() });
    const headers = { ...ticketOf(first), range: `bytes=${first.bytes.length}-` };
    const rest = await take(other, link, { headers });
    expect([rest.status, isFile(first, rest)]).toEqual([206, true]);
    await confirm(one, link, first);
    await expect.poll(left).toEqual(nothing);
  });

  test("leave nothing of an upload whose sender hangs up", async () => {
    const { hangUp } = shareHalf(one);
    await expect.poll(async () => (await left()).chunks).toBeGreaterThan(50);
    hangUp();
    await expect.poll(left).toEqual(nothing);
  });

  test("leave nothing active of an upload whose server was killed, and nothing at all within the hour", async () => {
    const mortal = await startInstance(place.url);
    onTestFinished(mortal.kill);
    const secrets = () => db.query.selectFrom("secret").select("id").where("closed_at", "is", null).execute();
    const { ended } = shareHalf(mortal);
    await expect.poll(async () => (await left()).chunks).toBeGreaterThan(50);
    expect((await left()).files).toBe(1);
    await mortal.kill();
    await ended;
    expect(await secrets()).toEqual([]);
    const now = Math.floor(Date.now() / 1000);
    await sweepFiles(db, { now: now + UPLOAD_SECONDS });
    expect(await left()).toEqual(nothing);
  });
});
