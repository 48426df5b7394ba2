// process
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { describeEach, hasThing, testIf, testWith } from "../machine/skips.ts";
import { callsLeft } from "./support/calls-left.ts";
import { exitCodes } from "./support/server.ts";
import { startForTest, withProcess } from "./support/with-process.ts";

const run = promisify(execFile);
const MIB = 1024 * 1024;
const TRIES = 3;

const URLLIB = `
import sys, urllib.request, urllib.error
url, path, token = sys.argv[1:4]
request = urllib.request.Request(url, data=open(path, "rb").read(), method="POST")
if token: request.add_header("Authorization", "Bearer " + token)
try:
    answer = urllib.request.urlopen(request, timeout=120)
except urllib.error.HTTPError as error:
    answer = error
print(answer.status, answer.read().decode())
`;

interface Answer {
  readonly status: number;
  readonly code: string;
}

interface Upload {
  readonly url: string;
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly token?: string;
}

const CLIENT_NAMES = ["curl", "fetch", "python3"] as const;
type Client = (typeof CLIENT_NAMES)[number];

/** Clients that people really use; each has lost an answer that came before its upload was read. */
const CLIENTS: Record<Client, (upload: Upload) => Promise<Answer>> = {
  async curl({ url, path, token }) {
    const header = token ? ["-H", `Authorization: Bearer ${token}`] : [];
    const { stdout } = await run("curl", [
      "-sS",
      "-m",
      "120",
      "-w",
      " %{http_code}",
      ...header,
      "--data-binary",
      `@${path}`,
      url,
    ]);
    const at = stdout.lastIndexOf(" ");
    return { status: Number(stdout.slice(at)), code: codeOf(stdout.slice(0, at)) };
  },
  async fetch({ url, bytes, token }) {
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    const response = await fetch(url, { method: "POST", body: bytes, headers });
    return { status: response.status, code: codeOf(await response.text()) };
  },
  async python3({ url, path, token = "" }) {
    const { stdout } = await run("python3", ["-c", URLLIB, url, path, token]);
    return { status: Number(stdout.slice(0, 3)), code: codeOf(stdout.slice(4)) };
  },
};

function codeOf(text: string): string {
  return String((JSON.parse(text) as { code?: string }).code);
}

describeEach("on $name", (runtime) => {
  const server = withProcess(runtime);
  let upload: Omit<Upload, "url">;

  beforeAll(() => {
    const bytes = new Uint8Array(30 * MIB);
    const path = join(server.folder, "upload.bin");
    writeFileSync(path, bytes);
    upload = { bytes, path };
  });

  const early = "delivers early rejections of an upload to";
  test(`${early} fetch`, () => rejectEarly("fetch"));
  testWith("curl")(`${early} curl`, () => rejectEarly("curl"));
  testWith("python3")(`${early} python3`, () => rejectEarly("python3"));

  async function rejectEarly(name: Client): Promise<void> {
    const send = CLIENTS[name];
    for (let i = 0; i < TRIES; i++) {
      const at = (path: string) => ({ ...upload, url: `${server.url}${path}` });
      expect(await send(at("/api/tools/file-hash"))).toEqual({ status: 413, code: "file_too_large" });
      expect(await send(at("/api/tools/nothing"))).toEqual({ status: 404, code: "unknown_tool" });
      expect(await send(at("/healthz"))).toEqual({ status: 405, code: "method_not_allowed" });
      expect(await send({ ...at("/api/tools/file-hash"), token: "wrong" })).toEqual({
        status: 401,
        code: "invalid_token",
      });
    }
  }

  /** The status that curl gets, and how much it has sent, where it waits for as long as it takes to be asked. */
  async function askFirst(...args: string[]): Promise<[status: number, sent: number]> {
    const waiting = ["-H", "Expect: 100-continue", "--expect100-timeout", "110", "-m", "120"];
    const told = ["-sS", "-o", "/dev/null", "-w", "%{http_code} %{size_upload}"];
    const { stdout } = await run("curl", [...told, ...waiting, "--data-binary", `@${upload.path}`, ...args]);
    const [status, sent] = stdout.split(" ").map(Number);
    return [status ?? 0, sent ?? 0];
  }

  const asking = runtime.name === "node" && hasThing("curl");
  const asksFirst = testIf(asking, "Deno 2.9 and Bun 1.4 ask for every body themselves");
  asksFirst("asks curl for no byte of what is refused by its head, and for all of the rest", async () => {
    const hash = `${server.url}/api/tools/file-hash`;
    expect(await askFirst(hash)).toEqual([413, 0]);
    expect(await askFirst(hash, "-H", "Authorization: Bearer wrong")).toEqual([401, 0]);
    expect(await askFirst(`${server.url}/api/tools/nothing`)).toEqual([404, 0]);
    expect(await askFirst(`${server.url}/healthz`)).toEqual([405, 0]);
    for (const expected of ["100-continue", "nonsense"]) {
      const { stdout } = await run("curl", [
        "-sS",
        "-H",
        `Expect: ${expected}`,
        "--data-binary",
        "abc",
        hash,
      ]);
      expect(stdout).toContain("ba7816bf");
    }
  });

  test("delivers a 429 to an upload", async () => {
    const small = { ...upload, bytes: new Uint8Array(1), url: `${server.url}/api/tools/file-hash` };
    for (let i = 0; i < 60; i++) await CLIENTS.fetch(small);
    for (const name of CLIENT_NAMES) {
      if (name !== "fetch" && !hasThing(name)) continue;
      expect(await CLIENTS[name]({ ...upload, url: small.url })).toEqual({
        status: 429,
        code: "rate_limited",
      });
    }
    if (asking) expect(await askFirst(small.url)).toEqual([429, 0]);
  });

  test("ends on SIGTERM with exit code 0, after what was under way", async () => {
    const other = await startForTest(runtime);
    const ends: (() => void)[] = [];
    const slowUpload = () =>
      fetch(`${other.url}/api/tools/file-hash`, {
        method: "POST",
        body: new ReadableStream({
          start(controller) {
            controller.enqueue(new Uint8Array([1]));
            ends.push(() => controller.close());
          },
        }),
        duplex: "half",
      } as RequestInit);
    const answers = [slowUpload(), slowUpload()];
    await expect.poll(() => callsLeft(other)).toBe(58);
    const stopped = other.stop();
    await expect.poll(other.output).toContain('"event":"draining"');
    for (const end of ends) end();
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
    expect(exitCodes(0)).toContain(await stopped);
    expect(other.output()).toContain('"event":"stopped"');
  });
});
