// process
import { chmodSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { makeTempFolder } from "../support/temp-folder.ts";
import { bareEnvironment, makeBarePath } from "./bare-path.ts";
import { testIf } from "./skips.ts";
import { describeMachine, findThings, THING_NAMES } from "./things.ts";

/** Of one processor, in milliseconds; a test moves them. */
const times = vi.hoisted(() => ({ user: 0, nice: 0, sys: 0, idle: 0, irq: 0 }));
vi.mock(import("node:os"), async (load) => ({
  ...(await load()),
  cpus: () => [{ model: "", speed: 0, times: { ...times } }],
}));

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

/** Lets the time pass that a program has to answer, on a machine that did something or nothing meanwhile. */
function passTime(kind: "user" | "idle"): void {
  times[kind] += 9_000;
  vi.advanceTimersByTime(9_000);
}

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
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const machine = findThings("bun", "Chromium");
    passTime("idle");
    expect(await machine).toEqual({ bun: { lacks: "hangs" }, Chromium: { lacks: "hangs" } });
  },
);

testIf(hasShell, "needs a shell")(
  "a program has more time while the machine is busy, to an end",
  async () => {
    const go = join(makeTempFolder(), "go");
    const slow = fakeProgram(`until [ -e ${go} ]; do sleep 0.05; done; echo 2.9.1`);
    for (const name of ["DENO", "CHROMIUM"]) vi.stubEnv(name, slow);
    vi.stubEnv("BUN", fakeProgram("exec 3<&0; (read line <&3) & wait"));
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const found = findThings("deno", "Chromium");
    for (let waits = 1; waits < 6; waits++) passTime("user");
    writeFileSync(go, "");
    expect(await found).toEqual({ deno: { at: slow }, Chromium: { at: slow } });
    const hanging = findThings("bun");
    for (let waits = 1; waits <= 6; waits++) passTime("user");
    expect(await hanging).toEqual({ bun: { lacks: "hangs" } });
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
