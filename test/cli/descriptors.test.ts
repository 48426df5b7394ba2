// process
import { spawnSync, type SpawnSyncReturns } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeEach, placeOf, testWith } from "../machine/skips.ts";
import { programOf } from "../process/support/server.ts";
import type { Runtime } from "../support/runtimes.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { environmentOf, hushkit, NODE } from "./support/program.ts";

const LOCK = ["lock", "a.txt", "--password-fd"];

function folderWithText(): string {
  const folder = makeTempFolder();
  writeFileSync(join(folder, "a.txt"), "text");
  return folder;
}

/** Runs the command line as `"$@"` of a script, in a shell that has `third` open as descriptor 3. */
function inShell(
  runtime: Runtime,
  { folder, script, args, third }: { folder: string; script: string; args: string[]; third?: string },
): SpawnSyncReturns<string> {
  const opened = third === undefined ? [] : [openSync(join(folder, third), "r")];
  const result = spawnSync("bash", ["-c", script, "bash", ...programOf(runtime, "cli"), ...args], {
    cwd: folder,
    env: environmentOf(folder),
    stdio: ["ignore", "pipe", "pipe", ...opened],
    encoding: "utf8",
  });
  opened.forEach((descriptor) => closeSync(descriptor));
  return result;
}

async function expectPassword(folder: string, password: string): Promise<void> {
  const env = { HUSHKIT_PASSWORD: password };
  const opened = await hushkit(NODE, ["unlock", "a.txt.locked", "-o", "-"], { folder, env });
  expect(opened).toMatchObject({ code: 0, out: "text", err: "" });
}

/** What the runtime itself has at these numbers differs. What runs the tests may have left one open. */
function expectNoneOfItsOwn(runtime: Runtime): void {
  const folder = folderWithText();
  for (let fd = 3; fd < 12; fd++) {
    const closed = inShell(runtime, { folder, script: `"$@" ${fd}>&-`, args: [...LOCK, String(fd)] });
    const err = `hushkit: --password-fd ${fd}: nothing can be read from this descriptor.\n`;
    expect(closed).toMatchObject({ status: 2, stderr: err });
  }
  expect(readdirSync(folder)).not.toContain("a.txt.locked");
}

/** Runs a command with one end of a pair of sockets as descriptor 3, as other programs start theirs. */
const WITH_SOCKET = `
import os, socket, subprocess, sys
near, far = socket.socketpair()
near.sendall(b"third")
near.close()
os.dup2(far.fileno(), 3)
sys.exit(subprocess.run(sys.argv[1:], pass_fds=[3]).returncode)`;

describeEach("passwords from descriptors on $name", (runtime) => {
  test("takes none from a descriptor of the runtime's own", () => expectNoneOfItsOwn(runtime));

  test("takes none from a descriptor that is open for writing", () => {
    const folder = folderWithText();
    writeFileSync(join(folder, "log"), "written before\n");
    for (const fd of [1, 3]) {
      const args = [...LOCK, String(fd)];
      const written = inShell(runtime, { folder, script: `"$@" ${fd}>> log`, args });
      const err = `hushkit: --password-fd ${fd}: nothing can be read from this descriptor.\n`;
      expect(written).toMatchObject({ status: 2, stderr: err });
    }
    expect(readFileSync(join(folder, "log"), "utf8")).toBe("written before\n");
  });

  test("reads on where a file stands", async () => {
    const folder = folderWithText();
    writeFileSync(join(folder, "words"), "first\nsecond\n");
    const script = 'read -r first <&3; "$@"';
    const read = inShell(runtime, { folder, script, args: [...LOCK, "3"], third: "words" });
    expect(read).toMatchObject({ status: 0, stderr: "" });
    await expectPassword(folder, "second");
  });

  test("waits for a pipe", async () => {
    const folder = folderWithText();
    const script = '"$@" 3< <(sleep 0.3; printf sec; sleep 0.3; printf ond)';
    expect(inShell(runtime, { folder, script, args: [...LOCK, "3"] })).toMatchObject({ status: 0 });
    await expectPassword(folder, "second");
  });

  testWith("python3")("reads a socket", async () => {
    const folder = folderWithText();
    const command = ["-c", WITH_SOCKET, ...programOf(runtime, "cli"), ...LOCK, "3"];
    const sent = spawnSync("python3", command, { cwd: folder, encoding: "utf8" });
    expect(sent).toMatchObject({ status: 0, stderr: "" });
    await expectPassword(folder, "third");
  });
});

describeEach("standard output and standard error on $name", (runtime) => {
  // The last one is a pipe that nobody reads any more.
  test.each(["2> /dev/full", "2< a.txt", "2>&-", "2>&5"])(
    "ends by the same exit code where standard error takes nothing: %s",
    (where) => {
      const folder = folderWithText();
      const script = 'export HUSHKIT_PASSWORD=first; mkfifo pipe; "$@"';
      expect(inShell(runtime, { folder, script, args: ["lock", "a.txt"] })).toMatchObject({ status: 0 });
      const again = `exec 4<> pipe 5> pipe 4<&-; export HUSHKIT_PASSWORD=other; "$@" ${where}`;
      const args = ["unlock", "a.txt.locked", "-o", "-"];
      expect(inShell(runtime, { folder, script: again, args })).toMatchObject({ status: 4, stdout: "" });
    },
  );

  test.each([
    ["> /dev/full", "hushkit: There is no room left on the disk.\n"],
    ["1< a.txt", "hushkit: The output cannot be written to.\n"],
  ])("says that standard output takes nothing: %s", (where, stderr) => {
    const folder = folderWithText();
    const written = inShell(runtime, { folder, script: `"$@" ${where}`, args: ["hash", "a.txt"] });
    expect(written).toMatchObject({ status: 2, stderr });
  });
});

testWith("an old Node")("a Node that is too old hands none of its own descriptors on", () =>
  expectNoneOfItsOwn({ ...NODE, command: placeOf("an old Node"), args: [] }),
);
