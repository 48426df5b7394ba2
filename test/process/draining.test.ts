// process
import { createHash } from "node:crypto";
import { once } from "node:events";
import { Agent, request, type ClientRequest, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { describeEach } from "../machine/skips.ts";
import type { Runtime } from "../support/runtimes.ts";
import { callsLeft } from "./support/calls-left.ts";
import { exitCodes, type RunningServer } from "./support/server.ts";
import { startForTest } from "./support/with-process.ts";

const MB = 1_000_000;
/** Two signals that come closer are taken for one. */
const APART_MS = 500;
/** The clock of the log is not that of the timers. */
const EARLY_MS = 50;
/** Longer than any test waits: only a second signal ends it. */
const LONG = "300";
const DRAINING = { status: 503, code: "draining", retryAfter: "5", connection: "close" };

// Of itself Node asks for the connection to be closed, where there is no agent.
const agent = new Agent({ keepAlive: true });
afterAll(() => agent.destroy());

const start = (runtime: Runtime, drainSeconds = LONG) =>
  startForTest(runtime, { DRAIN_SECONDS: drainSeconds, WORKERS: "1" });

/** Tells a server to end, and waits until it has heard it. */
async function tell({ pid, output }: RunningServer, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  process.kill(pid, signal);
  await expect.poll(output).toContain('"event":"draining"');
}

/** The second signal; what the exit code is then. */
async function hurry(server: RunningServer): Promise<number | null> {
  await sleep(APART_MS);
  return server.stop();
}

/** Sends signals until the server has ended: one that hears two late takes them for one. */
async function insist(server: RunningServer): Promise<number | null> {
  for (;;) {
    const ended = await Promise.race([server.stop(), sleep(APART_MS, "not yet" as const)]);
    if (ended !== "not yet") return ended;
  }
}

/** A file to be locked; its answer is as long as it is. */
function lock({ url }: RunningServer): ClientRequest {
  return request(`${url}/api/tools/file-encrypt`, {
    method: "POST",
    agent,
    headers: { "tool-password": "correct horse", "content-type": "application/octet-stream" },
  });
}

/** Takes an answer, and says whether it came whole. */
async function takeWhole(response: IncomingMessage): Promise<boolean> {
  const digest = createHash("sha256");
  for await (const chunk of response) digest.update(chunk);
  return response.headers["repr-digest"] === `sha-256=:${digest.digest("base64")}:`;
}

/** What is answered over a connection that is there already. */
async function askOn(socket: Socket, path: string): Promise<string> {
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  const [data] = (await once(socket, "data")) as [Buffer];
  return String(data);
}

/** Whether nobody listens any more. */
function isClosed({ url }: RunningServer): Promise<boolean> {
  return fetch(url).then(
    () => false,
    () => true,
  );
}

/** When something has happened, as the log has it, in milliseconds. */
function timeOf(event: string, { output }: RunningServer): number {
  const [, time = ""] = new RegExp(`"time":"([^"]*)","event":"${event}"`).exec(output()) ?? [];
  return Date.parse(time);
}

async function ask({ url }: RunningServer, path: string, init: RequestInit = {}) {
  const response = await fetch(url + path, init);
  const { code } = (await response.json().catch(() => ({}))) as { code?: string };
  const { status, headers } = response;
  return { status, code, retryAfter: headers.get("retry-after"), connection: headers.get("connection") };
}

describeEach("a server that drains on $name", drain);

function drain(runtime: Runtime): void {
  test("keeps its port, refuses every new call, and still says that it lives", async () => {
    const server = await start(runtime);
    // On a busy machine its worker is late.
    await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200);
    const idle = connect(Number(new URL(server.url).port), "127.0.0.1");
    onTestFinished(() => void idle.destroy());
    expect(await askOn(idle, "/readyz")).toMatch(/^HTTP\/1.1 200/);
    await tell(server);
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

  test("finishes what is sent and what arrives, also past the second signal", async () => {
    const server = await start(runtime);
    const [down, up] = [lock(server), lock(server)];
    down.end(Buffer.alloc(20 * MB, 7));
    up.write(Buffer.alloc(1 * MB, 7));
    const [sent] = (await once(down, "response")) as [IncomingMessage];
    sent.pause();
    await expect.poll(() => callsLeft(server)).toBe(58);
    await tell(server);
    up.end(Buffer.alloc(10 * MB, 7));
    const [running] = (await once(up, "response")) as [IncomingMessage];
    expect([running.statusCode, running.headers.connection]).toEqual([200, "close"]);
    const stopped = hurry(server);
    // Now it has heard the second signal.
    await expect.poll(() => isClosed(server)).toBe(true);
    expect(await Promise.all([takeWhole(sent), takeWhole(running)])).toEqual([true, true]);
    expect(exitCodes(0)).toContain(await stopped);
  });

  test("ends at the third signal, whatever still runs", async () => {
    const server = await start(runtime);
    const up = lock(server).on("error", () => {});
    up.write(Buffer.alloc(1 * MB, 7));
    await expect.poll(() => callsLeft(server)).toBe(59);
    await tell(server);
    await sleep(APART_MS);
    // At the second one it would end with 0, and not before the upload.
    expect(exitCodes(128 + constants.signals.SIGTERM)).toContain(await insist(server));
    up.destroy();
  });

  test("ends by itself after its time, and at once on Ctrl-C", async () => {
    const patient = await start(runtime, "1");
    expect(exitCodes(0)).toContain(await patient.stop());
    expect(timeOf("stopped", patient) - timeOf("draining", patient)).toBeGreaterThanOrEqual(1000 - EARLY_MS);
    const terminal = await start(runtime);
    await tell(terminal, "SIGINT");
    // Before its time is over, which is far longer than this waits.
    await expect.poll(terminal.output).toContain('"event":"stopped"');
    expect(exitCodes(0)).toContain(await terminal.stop());
  });
}
