// process
import {
  execFileSync,
  spawn,
  spawnSync,
  type ChildProcess,
  type SpawnOptionsWithoutStdio,
} from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, onTestFailed, onTestFinished, test } from "vitest";
import { basicEnvironment } from "../machine/leftovers.ts";
import { describeEach, placeOf, testIf, testWith } from "../machine/skips.ts";
import { nodePath } from "../support/runtimes.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { pagesPdf } from "../tools/pdf/support/pdf-made.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

interface Launched {
  readonly launcher: ChildProcess;
  readonly url: string;
  /** Comes when the launcher and its server have both ended: the server writes where the launcher does. */
  readonly ended: Promise<unknown>;
}

/** Runs a launcher until the test ends, and waits until its server listens. */
async function launch(command: string, args: readonly string[]): Promise<Launched> {
  const env = {
    ...basicEnvironment(),
    PORT: "0",
    DRAIN_SECONDS: "0",
    WORKERS: "1",
    DATABASE_URL: join(makeTempFolder(), "service.db"),
  };
  const options: SpawnOptionsWithoutStdio = { cwd: ROOT, env };
  const launcher = spawn(command, args, options);
  onTestFinished(() => void launcher.kill("SIGKILL"));
  let output = "";
  for (const stream of [launcher.stdout, launcher.stderr])
    stream.on("data", (data: Buffer) => void (output += String(data)));
  onTestFailed(() => console.error(`What was said last:\n${output.slice(-4000)}`));
  const ended = once(launcher, "close");
  const find = () => /"event":"listening","url":"([^"]+?)\/?"/.exec(output)?.[1];
  await expect.poll(find).toBeDefined();
  return { launcher, url: find() ?? "", ended };
}

const answers = (url: string) =>
  fetch(`${url}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );

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
    const { launcher, url, ended } = await launch(nodePath(), ["-e", LAUNCHER, ...args]);
    expect(await answers(url)).toBe(true);
    launcher.kill("SIGKILL");
    await expect.poll(() => answers(url)).toBe(false);
    await ended;
  });
});

testWith("an old Node")(
  "a Node that is too old runs the server on another one, which ends with it",
  async () => {
    const { launcher, url, ended } = await launch(placeOf("an old Node"), ["bin/start.mjs", "main.ts"]);
    const children = readFileSync(`/proc/${launcher.pid}/task/${launcher.pid}/children`, "utf8").trim();
    expect(children).toMatch(/^\d+$/);
    launcher.kill("SIGKILL");
    await expect.poll(() => answers(url)).toBe(false);
    await ended;
  },
);

testWith("an old Node")("a Node that is too old passes on each descriptor that an argument names", () => {
  const folder = makeTempFolder();
  const name = (of: string) => join(folder, of);
  writeFileSync(name("a.pdf"), pagesPdf(1));
  for (const word of ["user", "owner"]) writeFileSync(name(word), word);
  const fds = ["user", "owner"].map((of) => openSync(name(of), "r"));
  onTestFinished(() => fds.forEach((fd) => closeSync(fd)));
  const args = ["pdf", "lock", name("a.pdf"), "-o", name("locked.pdf"), "--password-fd", "3"];
  execFileSync(placeOf("an old Node"), ["bin/hushkit.mjs", ...args, "--owner-password-fd=5"], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit", fds[0]!, "ignore", fds[1]!],
  });
  expect(existsSync(name("locked.pdf"))).toBe(true);
});

// npm passes a signal on to the shell of its script, and that ends without the server.
testIf(hasSignals, "Windows has no signals")("a server that npm has started ends with it", async () => {
  const { launcher, url, ended } = await launch("npm", ["start"]);
  expect(await answers(url)).toBe(true);
  launcher.kill("SIGTERM");
  await expect.poll(() => answers(url)).toBe(false);
  await ended;
});

/** Writes a program that says one word. */
function put(folder: string, path: string, word: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), `console.log(${JSON.stringify(word)});\n`);
}

describeEach("a package that npm has left out, on $name", ({ command, args }) => {
  test("is named, with what installs it", () => {
    const folder = makeTempFolder();
    cpSync(join(ROOT, "bin/start.mjs"), join(folder, "bin/start.mjs"));
    writeFileSync(join(folder, "main.ts"), 'await import("vite-of-nobody");\n');
    const { status, stderr } = spawnSync(command, [...args, "bin/start.mjs"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(stderr).toMatch(/^The package vite-of-nobody is not installed\. `npm ci --include=dev [^\n]*\n$/);
    expect(status).toBe(1);
  });
});

test("what was built runs where it was built of exactly these sources, and else the sources", async () => {
  const folder = makeTempFolder();
  for (const file of ["start.mjs", "built.mjs"]) cpSync(join(ROOT, "bin", file), join(folder, "bin", file));
  put(folder, "main.ts", "sources");
  put(folder, "server/main.ts", "");
  put(folder, "web/dist/pages/stamp.txt", "");
  const run = () => execFileSync(nodePath(), ["bin/start.mjs"], { cwd: folder, encoding: "utf8" }).trim();
  expect(run()).toBe("sources");
  const { serverFolder } = (await import(
    /* @vite-ignore */ pathToFileURL(join(folder, "bin/built.mjs")).href
  )) as typeof import("../../bin/built.mjs");
  put(serverFolder(), "main.js", "built");
  expect(run()).toBe("built");
  put(folder, "tools/new.ts", "");
  expect(run()).toBe("sources");
  rmSync(join(folder, "tools"), { recursive: true });
  expect(run()).toBe("built");
  put(folder, "main.ts", "other sources");
  expect(run()).toBe("other sources");
  put(serverFolder(), "main.js", "built anew");
  expect(run()).toBe("built anew");
  rmSync(join(folder, "web/dist"), { recursive: true });
  expect(run()).toBe("other sources");
});
