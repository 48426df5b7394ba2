// slow
import { createHash } from "node:crypto";
import { once } from "node:events";
import { Agent, request, type ClientRequest, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, test, type TestContext } from "vitest";
import { describeEach } from "../machine/skips.ts";
import type { Runtime } from "../support/runtimes.ts";
import { exitCodes, startServer, type RunningServer } from "./support/server.ts";

const MB = 1_000_000;
/** Two signals that come closer are taken for one. */
const APART_MS = 500;
/** Longer than any test waits: only a second signal ends it. */
const LONG = "300";
const DRAINING = { status: 503, code: "draining", retryAfter: "5", connection: "close" };

// Of itself Node asks for the connection to be closed, where there is no agent.
const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

async function start(
  runtime: Runtime,
  { onTestFinished }: TestContext,
  drainSeconds = LONG,
): Promise<RunningServer> {
  const server = await startServer(runtime, { DRAIN_SECONDS: drainSeconds, WORKERS: "1" });
  // Where a test fails, nobody else ends it.
  onTestFinished(server.kill);
  return server;
}

/** Tells a server to end, and waits until it has heard it. */
async function tell(
  { pid, output }: RunningServer,
  { expect }: TestContext,
  signal: NodeJS.Signals = "SIGTERM",
): Promise<void> {
  process.kill(pid, signal);
  await expect.poll(output).toContain('"event":"draining"');
}

/** The second signal; what the exit code is then. */
async function hurry(server: RunningServer): Promise<number | null> {
  await sleep(APART_MS);
  return server.stop();
}

/** A file to be locked; its answer is as long as it is. */
function lock({ url }: RunningServer): ClientRequest {
  return request(`${url}/api/tools/file-encrypt`, {
    method: "POST",
    agent,
    headers: { "tool-password": "correct horse", "content-type": "application/octet-stream" },
  });
}

/** Takes an answer slowly at first, and says whether it came whole. */
async function takeSlowly(response: IncomingMessage): Promise<boolean> {
  let length = 0;
  const digest = createHash("sha256");
  for await (const chunk of response) {
    length += Buffer.byteLength(chunk);
    digest.update(chunk);
    if (length < 4 * MB) await sleep(20);
  }
  return response.headers["repr-digest"] === `sha-256=:${digest.digest("base64")}:`;
}

/** What is answered over a connection that is there already. */
async function askOn(socket: Socket, path: string): Promise<string> {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  const [data] = (await once(socket, "data")) as [Buffer];
  return String(data);
}

async function ask({ url }: RunningServer, path: string, init: RequestInit = {}) {
  const response = await fetch(url + path, init);
  const { code } = (await response.json().catch(() => ({}))) as { code?: string };
  const { status, headers } = response;
  return { status, code, retryAfter: headers.get("retry-after"), connection: headers.get("connection") };
}

// They mostly wait, so they do it side by side.
describe.concurrent("side by side", () => {
  describeEach("a server that drains on $name", drain);
});

function drain(runtime: Runtime): void {
  test("keeps its port, refuses every new call, and still says that it lives", async (context) => {
    const { expect, onTestFinished } = context;
    const server = await start(runtime, context);
    // On a busy machine its worker is late.
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200);
    const idle = connect(Number(new URL(server.url).port), "127.0.0.1");
    onTestFinished(() => void idle.destroy());
    expect(await askOn(idle, "/readyz")).toMatch(/^HTTP\/1.1 200/);
    await tell(server, context);
    const json = { "content-type": "application/json" };
    const upload = { method: "POST", body: new Uint8Array(30 * MB) };
    expect(await ask(server, "/api/tools/password", { method: "POST", body: "{}", headers: json })).toEqual(
      DRAINING,
    );
    expect(await ask(server, "/api/tools/file-hash", upload)).toEqual(DRAINING);
    expect(await ask(server, "/", { headers: { accept: "text/html" } })).toEqual(DRAINING);
    expect(await ask(server, "/trpc/tools.catalogue")).toMatchObject({ status: 503, retryAfter: "5" });
    expect(await ask(server, "/readyz")).toEqual({ ...DRAINING, code: undefined });
    expect(await ask(server, "/healthz")).toMatchObject({ status: 200, connection: "close" });
    const closed = once(idle, "end");
    expect(await askOn(idle, "/readyz")).toMatch(/^HTTP\/1.1 503[^]*\r\nconnection: close\r\n/i);
    // Deno leaves that to the client, until the port is closed.
    if (runtime.name !== "deno") await closed;
    expect(exitCodes(0)).toContain(await hurry(server));
    await closed;
    await expect(fetch(server.url)).rejects.toThrow();
  });

  test("finishes what is sent and what arrives, also past the second signal", async (context) => {
    const { expect } = context;
    const server = await start(runtime, context);
    const [down, up] = [lock(server), lock(server)];
    down.end(Buffer.alloc(20 * MB, 7));
    up.write(Buffer.alloc(1 * MB, 7));
    const [sent] = (await once(down, "response")) as [IncomingMessage];
    sent.pause();
    await tell(server, context);
    up.end(Buffer.alloc(10 * MB, 7));
    const [running] = (await once(up, "response")) as [IncomingMessage];
    expect([running.statusCode, running.headers.connection]).toEqual([200, "close"]);
    const stopped = hurry(server);
    expect(await Promise.all([takeSlowly(sent), takeSlowly(running)])).toEqual([true, true]);
    expect(exitCodes(0)).toContain(await stopped);
  });

  test("ends at the third signal, whatever still runs", async (context) => {
    const { expect } = context;
    const server = await start(runtime, context);
    const up = lock(server).on("error", () => {});
    up.write(Buffer.alloc(1 * MB, 7));
    await once(up, "socket");
    await tell(server, context);
    await sleep(APART_MS);
    process.kill(server.pid, "SIGTERM");
    expect(exitCodes(128 + constants.signals.SIGTERM)).toContain(await hurry(server));
    up.destroy();
  });

  test("ends by itself after its time, and at once on Ctrl-C", async (context) => {
    const { expect } = context;
    const [patient, terminal] = [await start(runtime, context, "1"), await start(runtime, context)];
    const ended = patient.stop();
    await expect.poll(patient.output).toContain('"event":"draining"');
    expect(await ask(patient, "/api/tools")).toEqual(DRAINING);
    expect(exitCodes(0)).toContain(await ended);
    await tell(terminal, context, "SIGINT");
    await expect.poll(terminal.output, { timeout: 10_000 }).toContain('"event":"stopped"');
    await terminal.stop();
  });
}
