// process
import { randomFillSync } from "node:crypto";
import { request, type IncomingHttpHeaders } from "node:http";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../db/open.ts";
import { sweepFiles } from "../../db/secrets/secret-files.ts";
import { describeShared, type TestDatabase } from "../db/support/harness.ts";
import { freshIp } from "../support/fresh-ip.ts";
import { startInstance } from "./support/instances.ts";
import type { RunningServer } from "./support/server.ts";
import { showLogs } from "./support/with-process.ts";

/** More than all the buffers between a server and its client. */
const FILE = randomFillSync(new Uint8Array(12 * 2 ** 20));
const UPLOAD_SECONDS = 1800;

interface Link {
  readonly id: string;
  readonly key: string;
}

interface Taken {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Sends the file, or as much of it until `signal` fires. */
async function share({ url }: RunningServer, body: BodyInit = FILE, signal?: AbortSignal): Promise<Link> {
  const headers = { "x-forwarded-for": freshIp() };
  const sent = { method: "POST", body, headers, duplex: "half", ...(signal ? { signal } : {}) };
  const response = await fetch(`${url}/api/secrets/file`, sent);
  if (response.status !== 201) throw new Error(`Sharing was answered with ${response.status}`);
  return (await response.json()) as Link;
}

/** Takes a file, or its first `atMost` bytes and then what `afterwards` does: by itself it hangs up. */
function take(
  { url }: RunningServer,
  { id, key }: Link,
  { headers = {}, atMost = Infinity, afterwards = async () => {}, whenPaused }: Taking = {},
): Promise<Taken> {
  return new Promise((resolve, reject) => {
    const type = { "content-type": "application/json", "x-forwarded-for": freshIp() };
    const call = request(`${url}/api/secrets/${id}/file`, {
      method: "POST",
      headers: { ...type, ...headers },
    });
    // The cut of the older reader.
    call.on("error", (error) => {
      if (!whenPaused) reject(error);
    });
    call.on("response", (answer) => {
      const pieces: Buffer[] = [];
      let size = 0;
      let pause = Promise.resolve();
      const end = () => {
        answer.removeAllListeners("data");
        const taken = {
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          bytes: Buffer.concat(pieces),
        };
        // The cut may come while the newer reader still reads.
        void Promise.all([pause, afterwards()]).then(() => (call.destroy(), resolve(taken)), reject);
      };
      answer.on("data", (piece: Buffer) => {
        pieces.push(piece);
        size += piece.length;
        if (size < atMost) return;
        answer.pause();
        if (!whenPaused) return end();
        atMost = Infinity;
        const own = { "secret-ticket": String(answer.headers["secret-ticket"]) };
        pause = whenPaused(own);
        pause.then(() => answer.resume(), reject);
      });
      answer.on("error", () => {
        if (whenPaused) end();
      });
      answer.on("end", end);
    });
    call.end(JSON.stringify({ key }));
  });
}

interface Taking {
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

/** An upload that stops in the middle and waits. */
function halfOfIt(): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= FILE.length / 2) return new Promise(() => {});
      controller.enqueue(FILE.subarray(at, (at += 2 ** 18)));
      return undefined;
    },
  });
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
    expect([first.status, first.headers["content-length"]]).toEqual([200, String(FILE.length)]);
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
    const hangUp = new AbortController();
    const upload = share(one, halfOfIt(), hangUp.signal);
    upload.catch(() => undefined);
    await expect.poll(async () => (await left()).chunks).toBeGreaterThan(50);
    hangUp.abort();
    await expect(upload).rejects.toThrow();
    await expect.poll(left).toEqual(nothing);
  });

  test("leave nothing active of an upload whose server was killed, and nothing at all within the hour", async () => {
    const mortal = await startInstance(place.url);
    onTestFinished(mortal.kill);
    const secrets = () => db.query.selectFrom("secret").select("id").where("closed_at", "is", null).execute();
    const upload = share(mortal, halfOfIt());
    upload.catch(() => undefined);
    await expect.poll(async () => (await left()).chunks).toBeGreaterThan(50);
    expect((await left()).files).toBe(1);
    await mortal.kill();
    await expect(upload).rejects.toThrow();
    expect(await secrets()).toEqual([]);
    const now = Math.floor(Date.now() / 1000);
    await sweepFiles(db, { now: now + UPLOAD_SECONDS });
    expect(await left()).toEqual(nothing);
  });
});
