import { spawn } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../served.ts";
import { end, start, type Driver } from "./driver.ts";

interface Commands {
  readonly driver: string;
  /** An X server without a screen. */
  readonly display: string;
}

/** Drives WebKitGTK over WebDriver (https://www.w3.org/TR/webdriver2/), by its own driver. */
export async function openWebkit({ driver, display }: Commands): Promise<Driver> {
  const screen = await start(display, ["-displayfd", "1", "-nolisten", "tcp"], { until: /^(\d+)\n/m });
  const port = await freePort();
  const env = { DISPLAY: `:${screen.said}` };
  const server = await startServer(driver, { port, env });
  const { sessionId } = (await post(`${server.url}/session`, { capabilities: {} })) as { sessionId: string };
  const session = `${server.url}/session/${sessionId}`;
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
      await end(server.child);
      await end(screen.child);
    },
  };
}

const TRIES = 100;
const TRY_MS = 50;

// It says nothing when it is ready, but answers.
async function startServer(driver: string, { port, env }: { port: number; env: NodeJS.ProcessEnv }) {
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(driver, [`--port=${port}`], { env: { ...process.env, ...env }, stdio: "ignore" });
  for (let i = 0; i < TRIES; i++) {
    if (
      await fetch(`${url}/status`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return { url, child };
    await wait(TRY_MS);
  }
  child.kill();
  throw new Error(`${driver} did not start`);
}

async function post(url: string, body: object): Promise<unknown> {
  const response = await fetch(url, { method: "POST", body: JSON.stringify(body) });
  const { value } = (await response.json()) as { value: unknown };
  if (response.ok) return value;
  throw new Error(`${url}: ${JSON.stringify(value)}`);
}
