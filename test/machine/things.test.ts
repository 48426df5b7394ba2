// process
import { chmodSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { makeTempFolder } from "../support/temp-folder.ts";
import { bareEnvironment, makeBarePath } from "./bare-path.ts";
import { testIf } from "./skips.ts";
import { describeMachine, findThings, THING_NAMES } from "./things.ts";

afterEach(() => void vi.unstubAllEnvs());

const hasShell = process.platform !== "win32";

/** A program that is a shell script. */
function fakeProgram(script: string): string {
  const path = join(makeTempFolder(), "program");
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

testIf(hasShell, "needs a shell")("a runtime that is too old or does not start is told by name", async () => {
  vi.stubEnv("DENO", fakeProgram("echo deno 2.3.1"));
  vi.stubEnv("BUN", fakeProgram("exit 1"));
  const machine = await findThings("deno", "bun");
  expect(machine.deno).toEqual({ lacks: "2.3.1 is older than 2.9" });
  expect(machine.bun).toEqual({ lacks: "does not start" });
  expect(describeMachine(machine)).toMatch(/; not found: deno \(2\.3\.1 is older than 2\.9\), bun \(/);
});

testIf(hasShell, "needs a shell")("a Chromium that does not start is told by name", async () => {
  vi.stubEnv("CHROMIUM", fakeProgram("echo cannot open display >&2; exit 1"));
  expect((await findThings("Chromium")).Chromium).toEqual({ lacks: "does not start" });
});

testIf(hasShell, "needs a shell")(
  "a program that hangs is told by name, whatever it has started",
  async () => {
    // Both wait for an input that does not come; a second program holds the output of the first one open.
    vi.stubEnv("BUN", fakeProgram("exec 3<&0; (read line <&3) & wait"));
    vi.stubEnv("CHROMIUM", fakeProgram("trap '' TERM; read line"));
    const machine = await findThings("bun", "Chromium");
    expect([machine.bun, machine.Chromium]).toEqual([{ lacks: "hangs" }, { lacks: "hangs" }]);
  },
);

test("a PostgreSQL that refuses the login is told with its own code", async () => {
  const refusal = Buffer.from("SFATAL\0C28P01\0Mno\0\0");
  const head = Buffer.from([0x45, 0, 0, 0, refusal.length + 4]);
  const server = createServer((socket) =>
    socket.once("data", () => socket.end(Buffer.concat([head, refusal]))),
  );
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // It listens on a port and not on a pipe.
  const { port } = server.address() as AddressInfo;
  vi.stubEnv("TEST_POSTGRES_URL", `postgres://somebody:wrong@127.0.0.1:${port}/test`);
  expect((await findThings("PostgreSQL")).PostgreSQL).toEqual({ lacks: `127.0.0.1:${port} answers 28P01` });
});

test("nothing optional is found on a path with Node and npm alone", async () => {
  const { folder, remove } = makeBarePath();
  onTestFinished(remove);
  const bare = bareEnvironment(folder);
  for (const name of Object.keys({ ...process.env, ...bare })) vi.stubEnv(name, bare[name]);
  const machine = await findThings(...THING_NAMES);
  expect(THING_NAMES.filter((name) => "at" in machine[name])).toEqual([]);
});
