// slow
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect } from "vitest";
import { describeEach, placeOf, testIf, testWith } from "../machine/skips.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

let folder = "";
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), "hushkit-launcher-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Waits until the server of this launcher answers; its address. */
async function listening(launcher: ChildProcess): Promise<string> {
  let output = "";
  launcher.stdout?.on("data", (data: Buffer) => void (output += String(data)));
  const find = () => /"event":"listening","url":"([^"]+?)\/?"/.exec(output)?.[1];
  await expect.poll(find, { timeout: 40_000 }).toBeDefined();
  return find() ?? "";
}

const answers = (url: string) =>
  fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );

function env(name: string): NodeJS.ProcessEnv {
  const { PATH = "", HOME = "" } = process.env;
  return {
    PATH,
    HOME,
    PORT: "0",
    DRAIN_SECONDS: "0",
    WORKERS: "1",
    DATABASE_URL: join(folder, `${name}.db`),
  };
}

const hasSignals = process.platform !== "win32";

// Starts the program as the launcher does, and is killed in its place.
const LAUNCHER = `
  const { spawn } = require("node:child_process");
  const [command, ...args] = process.argv.slice(1);
  spawn(command, args, { stdio: "inherit", env: { ...process.env, LAUNCHER_PID: String(process.pid) } });
`;

describeEach("a server on $name", (runtime) => {
  testIf(hasSignals, "Windows has no signals")("ends with its launcher, however that ends", async () => {
    const args = [runtime.command, ...runtime.args, "bin/start.mjs", "main.ts"];
    const options = { cwd: ROOT, env: env(runtime.name) };
    const launcher = spawn(process.execPath, ["-e", LAUNCHER, ...args], options);
    const url = await listening(launcher);
    expect(await answers(url)).toBe(true);
    launcher.kill("SIGKILL");
    await once(launcher, "exit");
    await expect.poll(() => answers(url), { timeout: 10_000 }).toBe(false);
  });
});

testWith("an old Node")(
  "a Node that is too old runs the server on another one, which ends with it",
  async () => {
    const launcher = spawn(placeOf("an old Node"), ["bin/start.mjs", "main.ts"], {
      cwd: ROOT,
      env: env("old"),
    });
    const url = await listening(launcher);
    const children = readFileSync(`/proc/${launcher.pid}/task/${launcher.pid}/children`, "utf8").trim();
    expect(children).toMatch(/^\d+$/);
    launcher.kill("SIGKILL");
    await expect.poll(() => answers(url), { timeout: 10_000 }).toBe(false);
  },
);

// npm passes a signal on to the shell of its script, and that ends without the server.
testIf(hasSignals, "Windows has no signals")("a server that npm has started ends with it", async () => {
  const npm = spawn("npm", ["start"], { cwd: ROOT, env: env("npm") });
  const url = await listening(npm);
  expect(await answers(url)).toBe(true);
  npm.kill("SIGTERM");
  await expect.poll(() => answers(url), { timeout: 10_000 }).toBe(false);
});
