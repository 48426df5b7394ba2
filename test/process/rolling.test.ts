// process
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { describeEach } from "../machine/skips.ts";
import { freePort } from "../support/free-port.ts";
import { freshIp } from "../support/fresh-ip.ts";
import { findRecipe } from "../support/recipes.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import type { Runtime } from "../support/runtimes.ts";
import { startNginx } from "./support/nginx.ts";
import { exitCodes, type RunningServer } from "./support/server.ts";
import { startForTest } from "./support/with-process.ts";

/** Up to 10,000 by hand. */
const CALLS = Number(process.env["ROLLING_CALLS"] ?? 600);
const PATIENCE_MS = 300_000 + CALLS * 500;
const AT_ONCE = 8;
/** So that the load lasts while instances are replaced, and a machine with two cores has time for them. */
const PAUSE_MS = 10;
/** Far longer than it takes until a call was refused; the second signal ends it. */
const DRAIN_SECONDS = "300";
/** Two signals that come closer are taken for one. */
const APART_MS = 500;
const MOST_TRIES = 3;
const LARGE = new Uint8Array(300_000);

/** What is done over and over: the statuses and what else tells that it was done, and done once. */
const WORK: readonly ((url: string) => Promise<string>)[] = [
  (url) => say(url, "/", { headers: { accept: "text/html" } }),
  (url) => say(url, "/api/tools"),
  (url) => say(url, "/api/tools/password", post("{}")),
  // Longer than what nginx keeps in memory.
  (url) => say(url, "/api/tools/file-hash", { method: "POST", body: LARGE }),
  shareAndReveal,
];
const RIGHT = ["200", "200", "200", "200", "201 200 once"];

function post(body: string): RequestInit {
  return { method: "POST", body, headers: { "content-type": "application/json" } };
}

function call(url: string, path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
  return fetch(url + path, { ...init, headers: { ...headers, "x-forwarded-for": freshIp() } });
}

async function say(url: string, path: string, init?: RequestInit): Promise<string> {
  const response = await call(url, path, init);
  const text = await response.text();
  return response.ok ? String(response.status) : `${response.status} ${text}`;
}

async function shareAndReveal(url: string): Promise<string> {
  const made = await call(url, "/api/secrets", post('{"content":"once"}'));
  const { id, key } = (await made.json()) as { id: string; key: string };
  const read = await call(url, `/api/secrets/${id}/reveal`, post(JSON.stringify({ key })));
  const { content, code } = (await read.json()) as { content?: string; code?: string };
  return `${made.status} ${read.status} ${content ?? code}`;
}

interface Load {
  calls: number;
  readonly failures: string[];
  isOver: boolean;
}

async function work(url: string, load: Load): Promise<void> {
  while (!load.isOver || load.calls < CALLS) {
    const kind = load.calls++ % WORK.length;
    const said = await WORK[kind]!(url).catch((error: unknown) => String(error));
    if (said !== RIGHT[kind]) load.failures.push(`${kind}: ${said}`);
    await sleep(PAUSE_MS);
  }
}

/** On a port that stays its own while it is replaced; on another one where somebody has just taken the first. */
async function startAnywhere(start: (port: string) => Promise<RunningServer>): Promise<RunningServer> {
  for (let tries = 1; ; tries++) {
    try {
      return await start(String(await freePort()));
    } catch (error) {
      if (tries === MOST_TRIES || !String(error).includes("in use")) throw error;
    }
  }
}

/** Two instances on one database, behind nginx as the guide has it. */
async function deploy(runtime: Runtime) {
  const folder = makeTempFolder();
  const start = (port: string) =>
    startForTest(runtime, {
      ...{ PORT: port, DATABASE_URL: join(folder, "service.db") },
      ...{ DRAIN_SECONDS, TRUST_PROXY: "1", WORKERS: "1" },
    });
  const instances: RunningServer[] = [await startAnywhere(start), await startAnywhere(start)];
  const ports = instances.map(({ url }) => new URL(url).port);
  const guide = findRecipe("operations.md", "Two instances behind nginx", "nginx");
  const http = guide
    .replace("127.0.0.1:3001", `127.0.0.1:${ports[0]}`)
    .replace("127.0.0.1:3002", `127.0.0.1:${ports[1]}`)
    .replace("/dev/shm/hushkit", join(folder, "bodies"));
  // The load comes from one machine, and each call is to count by itself.
  const headers = `proxy_set_header Connection ""; proxy_set_header X-Forwarded-For $http_x_forwarded_for;`;
  const site = `location / { proxy_pass http://hushkit; proxy_http_version 1.1; ${headers} proxy_buffering off; }`;
  const nginx = await startNginx(folder, { http, site });
  onTestFinished(nginx.stop);
  const replace = async (i: 0 | 1) => {
    const { pid, stop, output } = instances[i]!;
    process.kill(pid, "SIGTERM");
    // It has refused calls, which nginx has passed on.
    await expect.poll(() => output().split('"event":"draining"')[1]).toContain('"status":503');
    await sleep(APART_MS);
    expect(exitCodes(0)).toContain(await stop());
    instances[i] = await start(ports[i]!);
    const isReady = async () => (await fetch(`${instances[i]!.url}/readyz`)).ok;
    await expect.poll(isReady).toBe(true);
  };
  return { url: nginx.url, replace };
}

describeEach(
  "two instances on $name behind nginx",
  (runtime) => {
    test(
      "are replaced one after the other, and every call is answered",
      async () => {
        const { url, replace } = await deploy(runtime);
        const load: Load = { calls: 0, failures: [], isOver: false };
        const lanes = Array.from({ length: AT_ONCE }, () => work(url, load));
        let rounds = 0;
        do {
          await replace(0);
          await replace(1);
          rounds++;
        } while (load.calls < CALLS);
        load.isOver = true;
        await Promise.all(lanes);
        console.log(
          `${load.calls} calls, ${2 * rounds} instances replaced, ${load.failures.length} failures`,
        );
        expect(load.failures).toEqual([]);
      },
      PATIENCE_MS,
    );
  },
  { things: ["nginx"] },
);
