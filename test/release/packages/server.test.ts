import { once } from "node:events";
import { execFileSync, spawn, spawnSync, type SpawnOptions } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "../../../client/client.ts";
import { describeWith, placeOf, runtimesHere, testWith } from "../../machine/skips.ts";
import { nodePath } from "../../support/runtimes.ts";
import { makeBlankPdf } from "../../support/samples.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { HOST_PACKAGES, HOSTS } from "./support/hosts.ts";
import { environment, sizeOf, withInstalled } from "./support/install.ts";

const IMAGE = new URL("../../files/animated.avif", import.meta.url);
const runtimes = new Map(runtimesHere().map((runtime) => [runtime.name, runtime]));
const MOST_BYTES = 110 * 1000 * 1000;

describeWith("the npm registry")("hushkit, installed in an empty folder", () => {
  const installed = withInstalled(["hushkit"], HOST_PACKAGES);
  let bin = "";
  beforeAll(() => void (bin = join(installed.folder, "node_modules/.bin/hushkit")));

  test("brings the server's libraries along, no other Node and nothing of the pages' or the tests'", () => {
    const folder = join(installed.folder, "node_modules");
    const names = readdirSync(folder);
    expect(names).toEqual(expect.arrayContaining(["better-sqlite3", "h3", "kysely", "sharp"]));
    expect(names.filter((name) => /^node-(bin-)?(linux|darwin|win)/.test(name))).toEqual([]);
    const others = ["preact", "pdfjs-dist", "uqr", "vite", "vitest", "rolldown", "playwright-core"];
    expect(names.filter((name) => others.includes(name))).toEqual([]);
    expect(sizeOf(folder)).toBeLessThan(MOST_BYTES);
  });

  test("holds what was built and no sources", () => {
    const folder = join(installed.folder, "node_modules/hushkit");
    expect(readdirSync(folder).sort()).toEqual([
      "LICENSE",
      "NOTICE",
      "README.md",
      "bin",
      "dist",
      "docs",
      "package.json",
    ]);
    expect(existsSync(join(folder, "dist/pages/index.html"))).toBe(true);
  });

  test("serves the built pages and all workers, hands over a secret and opens it", async () => {
    const { url, output } = await serve(bin);
    const page = await fetch(url, { headers: { accept: "text/html" } });
    expect(await page.text()).toContain('<script type="module"');
    const ready = async () => (await fetch(new URL("/readyz", url))).json();
    await expect.poll(ready).toEqual({ status: "ready" });
    const convert = new URL("/api/tools/image-convert?format=png", url);
    const image = await fetch(convert, { method: "POST", body: readFileSync(IMAGE) });
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"]);

    const env = { ...environment(), HUSHKIT_URL: url, HOME: makeTempFolder() };
    const hushkit = (args: string[], input = "") =>
      execFileSync(nodePath(), [bin, ...args], { input, env, encoding: "utf8" }).trim();
    // The server was started on any free port, so that it did not know its address.
    const link = hushkit(["send"], "from a package").replace("http://127.0.0.1:0/", url);
    expect(hushkit(["open", link])).toBe("from a package");
    expect(output()).not.toContain('"event":"fault"');
  });

  describe.each(HOSTS)("mounted in $name", ({ name, on, program }) => {
    const onRuntime = on === "node" ? test : testWith(on);
    onRuntime("answers below its base path as it does alone, and closes", async () => {
      const { command, args } = runtimes.get(on)!;
      const folder = makeTempFolder();
      const file = installed.write(`${name}.mjs`, program);
      const host = await start(command, [...args, file, join(folder, "service.db")], /port (\d+)/);
      const origin = `http://127.0.0.1:${host.found}`;
      expect(await (await fetch(origin)).text()).toBe("around");
      const page = await fetch(`${origin}/hush/`, { headers: { accept: "text/html" } });
      expect(await page.text()).toContain("/hush/assets/");

      const client = createClient(`${origin}/hush`);
      const { id, key, url } = await client.secrets.create.mutate({ content: "inside" });
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1\/hush\/s\//);
      const { content } = await client.secrets.reveal.mutate({ id, key });
      const { data, pages } = await client.tools.pdfRotate.mutate({ file: await makeBlankPdf([100, 200]) });
      expect([content, pages]).toEqual(["inside", 2]);
      const large = new Uint8Array(2_000_000).fill(data[0]!);
      const { size } = await client.tools.fileHash.mutate({ file: large });
      expect(size).toBe(large.length);
      expect(await host.stop()).toBe(0);
    });
  });

  testWith("an old Node")("says on an old Node which version it needs", () => {
    const { status, stderr } = spawnSync(placeOf("an old Node"), [bin, "password"], { encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Node \d+\.\d+\.\d+ is too old to run this: Node 22\.18 or newer is needed/);
  });
});

/** Starts the server of the package on a free port. */
async function serve(bin: string) {
  const folder = makeTempFolder();
  mkdirSync(join(folder, "home"));
  const env = { ...environment(), HOME: join(folder, "home"), DATABASE_URL: join(folder, "service.db") };
  const args = [bin, "serve", "--port", "0"];
  const { found: url, output } = await start(nodePath(), args, /"event":"listening","url":"([^"]+)"/, {
    cwd: folder,
    env,
  });
  return { url, output };
}

/** Starts a program until it writes what is waited for. */
async function start(command: string, args: string[], waited: RegExp, options: SpawnOptions = {}) {
  const child = spawn(command, args, {
    env: environment(),
    ...options,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.on("data", (data: Buffer) => void (output += String(data)));
  const find = () => waited.exec(output)?.[1];
  await expect.poll(() => output).toMatch(waited);
  const stop = async () => {
    child.kill("SIGTERM");
    const [code] = (await once(child, "exit")) as [number | null];
    return code;
  };
  return { found: find() ?? "", output: () => output, stop };
}
