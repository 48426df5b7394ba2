import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PDFDocument } from "pdf-lib";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import about from "../../../package.json" with { type: "json" };
import { startProgram } from "../../process/support/server.ts";
import { describeWith, placeOf } from "../../machine/skips.ts";
import { nodePath } from "../../support/runtimes.ts";
import { makeBlankPdf } from "../../support/samples.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const HEIC = fileURLToPath(new URL("../../files/heic/alpha.heic", import.meta.url));
const HTML = { accept: "text/html" };
/** The machines of ELF's e_machine. */
const [EM_X86_64, EM_AARCH64] = [62, 183];

/** Builds one and answers its path; without a target it is for this machine. */
function build(env: NodeJS.ProcessEnv, ...target: string[]): string {
  const args = ["bin/start.mjs", "release/executable/build.ts", ...target];
  const said = execFileSync(nodePath(), args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    encoding: "utf8",
  });
  return said.trim().split("\n").at(-1) ?? "";
}

describeWith("bun")("the executable, in an empty folder", () => {
  let program = "";
  beforeAll(() => {
    program = build({});
  }, 120_000);

  // Neither a runtime nor a home: it has only itself.
  function run(cwd: string, args: readonly string[]) {
    const env = { HOME: cwd, PATH: "" };
    const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: "utf8" });
    return { status, stdout, stderr };
  }

  test("says its version", () => {
    const { status, stdout } = run(makeTempFolder(), ["--version"]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${about.version}\n` });
  });

  test("has digests of the runtime and those in WebAssembly", () => {
    const folder = makeTempFolder();
    writeFileSync(join(folder, "a.txt"), "abc");
    const sha256 = createHash("sha256").update("abc").digest("hex");
    expect(run(folder, ["hash", "a.txt"]).stdout).toContain(sha256);
    const { stdout } = run(folder, ["hash", "a.txt", "-a", "blake3"]);
    expect(stdout).toContain("6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85");
  });

  test("turns pages", async () => {
    const folder = makeTempFolder();
    writeFileSync(join(folder, "a.pdf"), await makeBlankPdf([100, 200]));
    expect(run(folder, ["pdf", "rotate", "a.pdf", "--angle", "90", "-o", "b.pdf"])).toMatchObject({
      status: 0,
    });
    const turned = await PDFDocument.load(readFileSync(join(folder, "b.pdf")));
    expect(turned.getPages().map((page) => page.getRotation().angle)).toEqual([90, 90]);
  });

  test("says that it converts no images", () => {
    const { status, stderr } = run(makeTempFolder(), ["image", HEIC, "--format", "webp", "-o", "a.webp"]);
    expect(status).not.toBe(0);
    expect(stderr).toContain("Hushkit as one executable converts no images");
  });

  test("serves secrets once, pages, and tools in workers that are itself", async () => {
    const server = await startProgram([program, "serve"], { cwd: makeTempFolder() });
    onTestFinished(async () => void (await server.stop()));
    const post = (path: string, body: unknown) =>
      fetch(server.url + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const made = await post("/api/secrets", { content: "one file" });
    const { id, key } = (await made.json()) as { id: string; key: string };
    const reveal = () => post(`/api/secrets/${id}/reveal`, { key });
    expect(await (await reveal()).json()).toMatchObject({ content: "one file" });
    expect((await reveal()).status).toBe(410);
    const page = await (await fetch(server.url, { headers: HTML })).text();
    const [, script = ""] = /<script[^>]* src="\.?\/?([^"]+\.js)"/.exec(page) ?? [];
    expect((await fetch(new URL(script, `${server.url}/`))).headers.get("content-type")).toMatch(
      /javascript/,
    );
    const pdf = await makeBlankPdf();
    const turned = await fetch(`${server.url}/api/tools/pdf-rotate?angle=90`, { method: "POST", body: pdf });
    expect(Buffer.from(await turned.arrayBuffer()).toString("latin1")).toMatch(/^%PDF-/);
    const image = readFileSync(HEIC);
    const refused = await fetch(`${server.url}/api/tools/image-convert?format=webp`, {
      method: "POST",
      body: image,
    });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ code: "unsupported_feature" });
    expect(run(makeTempFolder(), ["verify", server.url]).stdout).toContain("are those of Hushkit");
  });
});

describeWith("bun", "the npm registry")("the executable of another machine", () => {
  const target = process.arch === "arm64" ? "linux-x64" : "linux-arm64";
  const machine = target === "linux-arm64" ? EM_AARCH64 : EM_X86_64;
  const { packages } = JSON.parse(readFileSync(join(ROOT, "release/runtimes/package-lock.json"), "utf8")) as {
    packages: Record<string, { version: string }>;
  };
  const locked = packages["node_modules/@oven/bun-linux-x64"]?.version ?? "";

  /** A program in the place of Bun. */
  function writeBun(...lines: readonly string[]): string {
    const path = join(makeTempFolder(), "bun");
    writeFileSync(path, ["#!/bin/sh", ...lines, ""].join("\n"), { mode: 0o755 });
    return path;
  }

  test("has the Bun that is locked, and Bun itself fetches nothing", { timeout: 120_000 }, () => {
    const bun = placeOf("bun");
    const nowhere = "HTTPS_PROXY=http://127.0.0.1:1 HTTP_PROXY=http://127.0.0.1:1";
    const alone = writeBun(
      `cache="$(dirname "$0")"`,
      `${nowhere} BUN_INSTALL_CACHE_DIR="$cache" exec "${bun}" "$@"`,
    );
    const isLocked = execFileSync(bun, ["--version"], { encoding: "utf8" }).trim() === locked;
    if (isLocked) expect(readFileSync(build({ BUN: alone }, target)).readUInt16LE(18)).toBe(machine);
    else
      expect(() => build({ BUN: alone }, target)).toThrow(
        `Bun ${locked} makes the executables of other machines`,
      );
  });

  test("is not made by a Bun of another version", { timeout: 120_000 }, () => {
    expect(() => build({ BUN: writeBun("echo 9.9.9") }, target)).toThrow(
      `Bun ${locked} makes the executables of other machines; the one here is 9.9.9.`,
    );
  });
});
