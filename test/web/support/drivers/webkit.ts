import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../../../support/free-port.ts";
import { end, lastLines, start, type Driver } from "./driver.ts";

interface Commands {
  readonly driver: string;
  /** An X server without a screen. */
  readonly display: string;
}

/** Drives WebKitGTK over WebDriver (https://www.w3.org/TR/webdriver2/), by its own driver. */
export async function openWebkit({ driver, display }: Commands): Promise<Driver> {
  const screen = await start(display, ["-displayfd", "1", "-nolisten", "tcp"], { until: /^(\d+)\n/m });
  const env = { DISPLAY: `:${screen.said}` };
  const server = await startServer(driver, env).catch(async (error: unknown) => {
    await end(screen.child);
    throw error;
  });
  const stop = async () => {
    await end(server.child);
    await end(screen.child);
  };
  const session = await openSession(server.url).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    async goTo(url) {
      await post(`${session}/url`, { url });
    },
    async call(source, args) {
      const script = `const [json, done] = arguments;
        (async () => (${source})(...JSON.parse(json)))().then(
          (value) => done({ value: JSON.stringify(value) }), (error) => done({ error: String(error) }));`;
      const { value, error } = (await post(`${session}/execute/async`, {
        script,
        args: [JSON.stringify(args)],
      })) as { value?: string; error?: string };
      if (error !== undefined) throw new Error(error);
      return value === undefined ? undefined : JSON.parse(value);
    },
    async close() {
      await fetch(session, { method: "DELETE" });
      await stop();
    },
  };
}

/** What our scripts in pages wait for has a minute by itself. */
const TIMEOUTS = { script: 120_000 };

async function openSession(url: string): Promise<string> {
  const capabilities = { alwaysMatch: { timeouts: TIMEOUTS } };
  const { sessionId } = (await post(`${url}/session`, { capabilities })) as { sessionId: string };
  return `${url}/session/${sessionId}`;
}

const PORTS = 5;
const START_MS = 60_000;
const TRY_MS = 50;

// It listens on the port that it is told only, and ends where another program has taken it meanwhile.
async function startServer(driver: string, env: NodeJS.ProcessEnv) {
  let said = "";
  for (let ports = 0; ports < PORTS; ports++) {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const child = spawn(driver, [`--port=${port}`], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "ignore", "pipe"],
    });
    child.stderr.on("data", (text: Buffer) => (said += text.toString()));
    if (await isReady(url, child)) return { url, child };
    await end(child);
  }
  throw new Error(`${driver} did not start: ${lastLines(said)}`);
}

// It says nothing when it is ready, but answers.
async function isReady(url: string, child: ChildProcess): Promise<boolean> {
  const latest = Date.now() + START_MS;
  while (Date.now() < latest && child.exitCode === null) {
    const isThere = await fetch(`${url}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isThere) return true;
    await wait(TRY_MS);
  }
  return false;
}

async function post(url: string, body: object): Promise<unknown> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  const { value } = (await response.json()) as { value: unknown };
  if (response.ok) return value;
  throw new Error(`${url}: ${JSON.stringify(value)}`);
}
