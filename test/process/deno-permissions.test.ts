// process
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { placeOf, testWith } from "../machine/skips.ts";
import { startServer } from "./support/server.ts";
import { startForTest } from "./support/with-process.ts";

const ROOT = join(import.meta.dirname, "../..");
const { tasks } = JSON.parse(readFileSync(join(ROOT, "deno.json"), "utf8")) as { tasks: { start: string } };

/** A picture of one pixel. */
const DOT = new Uint8Array(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);

/** What Deno is allowed by `deno task start`, without the shell that the task needs. */
function permissions(command: string): string[] {
  const [, eval_ = ""] = /\$\(deno eval '(.*?)'\)/.exec(tasks.start) ?? [];
  const path = spawnSync(command, ["eval", eval_], { encoding: "utf8" }).stdout.trim();
  return tasks.start
    .replace(/"?\$\(.*?'\)"?/, path)
    .split(" ")
    .filter((word) => word.startsWith("--"));
}

testWith("deno")("`deno task start` has a list of permissions that its shell understands", () => {
  expect(tasks.start).not.toMatch(/ (-A|--allow-all)\b/);
  const command = placeOf("deno");
  const { status, stdout } = spawnSync(command, ["task", "start", "--help"], { cwd: ROOT, encoding: "utf8" });
  expect([status, stdout]).toEqual([0, expect.stringContaining("DATABASE_URL=")]);
});

testWith("deno")("the server does all of its work with these permissions", async () => {
  const command = placeOf("deno");
  const runtime = { name: "deno", command, args: ["run", "--no-check", ...permissions(command)] } as const;
  const settings = { AUDIT_LOG: "stdout", METRICS_PORT: "0" };
  const server = await startForTest(runtime, settings, startServer);
  const post = (path: string, body: string | Uint8Array<ArrayBuffer>) =>
    fetch(`${server.url}${path}`, { method: "POST", body });
  await expect.poll(async () => (await fetch(`${server.url}/readyz`)).status).toBe(200);
  const made = (await (await post("/api/secrets", "hush")).json()) as { id: string; key: string };
  const form = new URLSearchParams({ key: made.key });
  const opened = await fetch(`${server.url}/api/secrets/${made.id}/reveal?raw=true`, {
    method: "POST",
    body: form,
  });
  expect(await opened.text()).toBe("hush");
  // A worker, and one with native code.
  expect((await post("/api/tools/file-encrypt?password=of-my-own-choice", "hush")).status).toBe(200);
  expect((await post("/api/tools/image-convert?format=webp", DOT)).status).toBe(200);
  expect(server.output()).not.toMatch(/NotCapable|"event":"fault"/);
  expect(await server.stop()).toBe(0);
});
