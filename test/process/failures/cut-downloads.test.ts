// process
import { spawn } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { request } from "node:http";
import { join } from "node:path";
import { writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { freePort } from "../../support/free-port.ts";
import { freshIp } from "../../support/fresh-ip.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { runtimesHere, testWith } from "../../machine/skips.ts";
import { startNginx } from "../support/nginx.ts";
import { startServer, type RunningServer } from "../support/server.ts";

/** More by hand. */
const ROUNDS = Number(process.env["CUT_ROUNDS"] ?? 1);
const MIB = 2 ** 20;
/** What buffers on the way take whole, and what they do not; larger ones by hand. */
const SIZES = [1, 65_536, 65_537, MIB, 4 * MIB, 9 * MIB, 20 * MIB, ...(ROUNDS > 1 ? [100 * MIB] : [])];
/** So long a reader stands still before its connection breaks. */
const STALL_MS = 100;
const PATIENCE_MS = 120_000 + ROUNDS * 120_000;

let server: RunningServer;
beforeAll(async () => {
  server = await startServer(runtimesHere()[0]!, { TRUST_PROXY: "1" });
});
afterAll(() => server.stop());

interface Link {
  readonly id: string;
  readonly key: string;
}

/** An API token of a new member, who may send larger files, and so many bytes in an hour. */
async function makeToken(): Promise<string> {
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const all = { "x-forwarded-for": freshIp(), ...headers };
    return fetch(server.url + path, { method: "POST", body: new URLSearchParams(fields), headers: all });
  };
  const name = `ann-${randomFillSync(Buffer.alloc(6)).toString("hex")}`;
  const member = await post("/api/account/register", { name, password: "correct horse" });
  const cookie = member.headers.getSetCookie().map((each) => each.split(";")[0]);
  const made = await post("/api/users/me/tokens", { name: "cuts" }, { cookie: cookie.join("; ") });
  return ((await made.json()) as { token: string }).token;
}

async function share(body: Uint8Array<ArrayBuffer>, token: string): Promise<Link> {
  const headers = { "x-forwarded-for": freshIp(), authorization: `Bearer ${token}` };
  const response = await fetch(`${server.url}/api/secrets/file`, { method: "POST", body, headers });
  if (response.status !== 201) throw new Error(`Sharing was answered with ${response.status}`);
  return (await response.json()) as Link;
}

interface Asked extends Link {
  readonly from: number;
  readonly ticket: string;
  /** Breaks off after so many bytes, where the reader has stood still for a while. */
  readonly cutAfter: number;
}

/** What comes of a file from a byte on, until the end or the cut. */
function take(url: string, { id, key, from, ticket, cutAfter }: Asked): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      "x-forwarded-for": freshIp(),
      "secret-ticket": ticket,
      ...(from > 0 && { range: `bytes=${from}-` }),
    };
    const localAddress = loopbackAddress();
    const options = { method: "POST", headers, agent: false, ...(localAddress && { localAddress }) };
    const call = request(`${url}/api/secrets/${id}/file`, options);
    call.on("error", reject);
    call.on("response", (answer) => {
      if (![200, 206].includes(answer.statusCode ?? 0))
        return reject(new Error(`Byte ${from} was answered with ${answer.statusCode}`));
      const pieces: Buffer[] = [];
      let size = 0;
      answer.on("data", (piece: Buffer) => {
        pieces.push(piece);
        size += piece.length;
        if (size < cutAfter) return;
        answer.removeAllListeners("data");
        answer.pause();
        setTimeout(() => {
          call.destroy();
          resolve(Buffer.concat(pieces).subarray(0, cutAfter));
        }, STALL_MS);
      });
      // Somebody on the way has cut it: what came counts.
      answer.on("error", () => resolve(Buffer.concat(pieces)));
      answer.on("end", () => resolve(Buffer.concat(pieces)));
      return undefined;
    });
    call.end(JSON.stringify({ key }));
  });
}

/** A proxy may tell the address of the socket and no other; on Linux all of 127/8 is this machine. */
function loopbackAddress(): string | undefined {
  if (process.platform !== "linux") return undefined;
  const [a = 0, b = 0, c = 0] = randomFillSync(new Uint8Array(3));
  return `127.${a}.${b}.${1 + (c % 254)}`;
}

/** Cuts a download at its first byte, in the middle and before its last, and completes it each time. */
async function completeAll(url: string): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const token = await makeToken();
    for (const size of SIZES) {
      const file = randomFillSync(new Uint8Array(size));
      const link = await share(file, token);
      const ticket = Buffer.from(randomFillSync(new Uint8Array(16))).toString("hex");
      const asked = { ...link, ticket, size };
      // The whole answer is in the buffers on the way when the first one is cut.
      const cut = await takeInParts(url, asked, [1, Math.ceil(size / 2), Math.max(1, size - 1)]);
      expect([size, cut.equals(file)]).toEqual([size, true]);
      // A reader who has lost even what came reads it from its beginning.
      const again = await takeInParts(url, asked, []);
      expect([size, again.equals(file)]).toEqual([size, true]);
      await confirm({ ...link, ticket });
    }
  }
}

/** Cuts a download at some bytes, and goes on each time; what the way itself cuts is gone on with too. */
async function takeInParts(
  url: string,
  { size, ...asked }: Link & { ticket: string; size: number },
  cuts: readonly number[],
): Promise<Buffer> {
  const parts: Buffer[] = [];
  let at = 0;
  for (const cutAt of [...cuts, Infinity, Infinity, Infinity]) {
    const part = await take(url, { ...asked, from: at, cutAfter: Math.max(1, cutAt - at) });
    parts.push(part);
    at += part.length;
    if (at >= size) break;
  }
  return Buffer.concat(parts);
}

async function confirm({ id, key, ticket }: Link & { ticket: string }): Promise<void> {
  const headers = { "content-type": "application/json", "x-forwarded-for": freshIp() };
  const body = JSON.stringify({ key, ticket });
  const response = await fetch(`${server.url}/api/secrets/${id}/received`, { method: "POST", headers, body });
  expect(response.status).toBe(200);
}

testWith()("completes every cut download, direct", () => completeAll(server.url), PATIENCE_MS);

testWith("nginx")(
  "completes every cut download behind nginx with its defaults",
  async () => {
    const site = `location / { proxy_pass ${server.url}; }`;
    const { url, stop } = await startNginx(makeTempFolder(), { http: "", site });
    await completeAll(url).finally(stop);
  },
  PATIENCE_MS,
);

testWith("caddy")(
  "completes every cut download behind Caddy with its defaults",
  async () => {
    await completeAll(await startCaddy());
  },
  PATIENCE_MS,
);

const MOST_TRIES = 3;

/** Starts Caddy until the test ends, on another port where somebody else has just taken the first; answers its address. */
async function startCaddy(): Promise<string> {
  const folder = makeTempFolder();
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    writeFileSync(
      join(folder, "Caddyfile"),
      `{\n\tadmin off\n}\n${url} {\n\treverse_proxy ${server.url}\n}\n`,
    );
    const options = ["run", "--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"];
    const child = spawn("caddy", options, { stdio: ["ignore", "ignore", "pipe"], env });
    onTestFinished(() => void child.kill("SIGKILL"));
    let log = "";
    child.stderr.on("data", (data) => (log += String(data)));
    const isTaken = () => child.exitCode !== null && log.includes("address already in use");
    const state = () =>
      fetch(`${url}/healthz`).then(
        ({ status }) => status,
        () => (isTaken() ? "taken" : log.slice(-2000)),
      );
    await expect.poll(state).toEqual(expect.toBeOneOf([200, "taken"]));
    if (!isTaken()) return url;
    if (tries === MOST_TRIES) throw new Error(`No port was free:\n${log.slice(-2000)}`);
  }
}
