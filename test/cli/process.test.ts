// process
import { spawn, spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFailed, onTestFinished, test, vi } from "vitest";
import about from "../../package.json" with { type: "json" };
import { describeEach, placeOf, testIf, testWith } from "../machine/skips.ts";
import { programOf, startProgram, type RunningServer } from "../process/support/server.ts";
import { showLogs } from "../process/support/with-process.ts";
import type { Runtime } from "../support/runtimes.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { begin, ended, hushkit, NODE, PROGRAM } from "./support/program.ts";

// As installed: with its launcher.
vi.stubEnv("TEST_SERVER", undefined);
afterAll(() => void vi.unstubAllEnvs());

/** One server for all tests, run by the command line itself. */
let server: RunningServer;
beforeAll(async () => {
  const command = [NODE.command, ...NODE.args, PROGRAM, "serve", "--port", "0"];
  // With the variable alone it would not start.
  server = await startProgram(command, { cwd: tmpdir(), env: { PORT: "none" } });
});
afterAll(() => server?.stop());
showLogs(() => [server]);

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

describeEach("the program on $name", (runtime) => {
  test("hands over a text and opens it once", async () => {
    const folder = makeTempFolder();
    const env = { HUSHKIT_URL: server.url };
    const sent = await hushkit(runtime, ["send"], { folder, env, stdin: "päss\nwörd\n" });
    expect(sent).toMatchObject({ code: 0, err: "" });
    const opened = await hushkit(runtime, ["open", "-"], { folder, stdin: sent.out });
    expect(opened).toMatchObject({ code: 0, out: "päss\nwörd\n", err: "" });
    expect(await hushkit(runtime, ["open", sent.out.trim()], { folder })).toMatchObject({ code: 3, out: "" });
  });

  test("locks and unlocks a file with a password from a descriptor", async () => {
    const folder = makeTempFolder();
    writeFileSync(join(folder, "a.txt"), "text");
    writeFileSync(join(folder, "word"), "pässwörd\n");
    const given = ["--password-fd", "3"];
    const locked = await hushkit(runtime, ["lock", "a.txt", ...given], { folder, fd3: "word" });
    expect(locked).toMatchObject({ code: 0, out: "", err: "" });
    const back = ["unlock", "a.txt.locked", "-o", "b.txt", ...given];
    expect(await hushkit(runtime, back, { folder, fd3: "word" })).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, "b.txt"), "utf8")).toBe("text");
    writeFileSync(join(folder, "word"), Buffer.from("\ufeffpässwörd\r\n", "utf16le"));
    expect(await hushkit(runtime, [...back, "--force"], { folder, fd3: "word" })).toMatchObject({ code: 0 });
    writeFileSync(join(folder, "word"), Buffer.from("pässwörd", "latin1"));
    expect(await hushkit(runtime, [...back, "--force"], { folder, fd3: "word" })).toMatchObject({
      code: 2,
      err: "hushkit: File descriptor 3 does not hold text in UTF-8 or UTF-16.\n",
    });
  });

  test("ends with the code of its failure while its input stays open, and leaves no folder behind", async () => {
    const folder = makeTempFolder();
    const env = { HUSHKIT_PASSWORD: "pässwörd" };
    writeFileSync(join(folder, "a.bin"), Buffer.alloc(1_000_000));
    expect(await hushkit(runtime, ["lock", "a.bin"], { folder, env })).toMatchObject({ code: 0 });
    const locked = readFileSync(join(folder, "a.bin.locked"));
    locked[500_000]! ^= 1;
    const child = begin(runtime, { args: ["unlock", "-", "-o", "new/"], folder, env });
    child.stdin?.on("error", () => {}).write(locked.subarray(0, 900_000));
    onTestFinished(() => void child.kill("SIGKILL"));
    expect(await ended(child)).toMatchObject({ code: 2, err: expect.stringContaining("damaged") });
    expect(existsSync(join(folder, "new"))).toBe(false);
  });

  test("waits for standard input, reads it once, and refuses a folder as that", async () => {
    const folder = makeTempFolder();
    const child = begin(runtime, {
      args: ["lock", "/dev/null", "-o", "a.locked", "--password-fd", "0"],
      folder,
    });
    const end = ended(child);
    setTimeout(() => child.stdin?.end("pässwörd\n"), 1000);
    expect(await end).toMatchObject({ code: 0, out: "", err: "" });
    const command = ["-c", '"$@" < /', "sh", ...programOf(runtime, "cli"), "hash", "-"];
    const { status, stderr } = spawnSync("sh", command, { encoding: "utf8" });
    expect([status, stderr]).toEqual([2, "hushkit: Standard input: this is a folder.\n"]);
    const twice = ["lock", "-", "-o", "b.locked", "--password-fd", "0"];
    expect(await hushkit(runtime, twice, { folder, stdin: "a" })).toMatchObject({ code: 2, out: "" });
  });

  test.each(SIGNALS)("leaves nothing half-written on %s", async (signal) => {
    const folder = makeTempFolder();
    const env = { HUSHKIT_PASSWORD: "pässwörd" };
    const child = begin(runtime, { args: ["lock", "-", "-o", "out.locked"], folder, env });
    const end = ended(child);
    onTestFinished(() => void child.kill("SIGKILL"));
    child.stdin?.write("the beginning of a file");
    await expect.poll(() => readdirSync(folder)).toContainEqual(expect.stringMatching(/\.part$/));
    child.kill(signal);
    const { code, signal: by } = await end;
    expect(by === signal || (code ?? 0) > 128).toBe(true);
    expect(readdirSync(folder).filter((name) => name.includes("out"))).toEqual([]);
  });

  test("tells an error in a sentence, and by its exit code", async () => {
    const folder = makeTempFolder();
    const missing = await hushkit(runtime, ["hash", "none.txt"], { folder });
    expect(missing).toMatchObject({ code: 2, err: "hushkit: none.txt: there is no such file.\n" });
    const nobody = { HUSHKIT_URL: "http://127.0.0.1:9" };
    expect(await hushkit(runtime, ["list"], { folder, env: nobody })).toMatchObject({ code: 6 });
  });

  test("is not disturbed by a reader that has seen enough", async () => {
    const folder = makeTempFolder();
    const child = begin(runtime, { args: ["password", "--count", "1000", "--length", "1024"], folder });
    onTestFinished(() => void child.kill("SIGKILL"));
    const end = ended(child);
    child.stdout?.once("data", () => child.stdout?.destroy());
    expect(await end).toMatchObject({ code: 0, err: "" });
  });
});

type Answers = readonly (readonly [question: string, answer: string | ((shown: string) => void)])[];

/** Runs the program at a terminal and answers one question after the other. Returns what the terminal shows. */
async function typeAtTerminal(
  runtime: Runtime,
  args: string,
  { folder, answers, before = "" }: { folder: string; answers: Answers; before?: string },
): Promise<string> {
  const program = programOf(runtime, "cli").map((word) => `'${word}'`);
  const command = [before, ...program, args].join(" ");
  const child = spawn("script", ["-qec", command, "/dev/null"], {
    cwd: folder,
    env: { ...process.env, HOME: folder, HUSHKIT_URL: "http://127.0.0.1:9" },
  });
  let [shown, answered] = ["", 0];
  onTestFinished(() => void child.kill("SIGKILL"));
  onTestFailed(() => console.error(`The terminal shows:\n${shown}`));
  const open = [...answers];
  child.stdout.on("data", (data: Buffer) => {
    shown += data.toString();
    for (const [question, answer] of answers.slice(answers.length - open.length)) {
      const at = shown.indexOf(question, answered);
      if (at < 0) return;
      answered = at + question.length;
      open.shift();
      if (typeof answer === "string") child.stdin.write(answer);
      else answer(shown);
    }
  });
  await new Promise((resolve) => child.once("close", resolve));
  return shown;
}

describeEach("the program at a terminal, on $name", (runtime) => {
  testWith("script")("asks without showing what is typed", async () => {
    const folder = makeTempFolder();
    writeFileSync(join(folder, "a.txt"), "text");
    const answers: Answers = [
      ["Password: ", "geheim\r"],
      ["Once more: ", "geheim\r"],
    ];
    const shown = await typeAtTerminal(runtime, "lock a.txt", { folder, answers });
    expect(shown).toMatch(/a\.txt\.locked: \d+ bytes/);
    expect(shown).not.toContain("geheim");
    const env = { HUSHKIT_PASSWORD: "geheim" };
    const opened = await hushkit(runtime, ["unlock", "a.txt.locked", "-o", "-"], { folder, env });
    expect(opened).toMatchObject({ code: 0, out: "text" });
  });

  testWith("script")("asks for a passphrase after a text that was typed and ended with Ctrl-D", async () => {
    const answers: Answers = [
      ["ends it.", "the text\r\x04"],
      ["Passphrase: ", "geheim\r"],
      ["Once more: ", "geheim\r"],
    ];
    const shown = await typeAtTerminal(runtime, "send -p", { folder: makeTempFolder(), answers });
    expect(shown).toContain("http://127.0.0.1:9 cannot be reached");
    expect(shown).not.toContain("geheim");
  });

  testWith("script")("asks while standard input is a pipe, and ends", async () => {
    const folder = makeTempFolder();
    const answers: Answers = [
      ["Password: ", "geheim\r"],
      ["Once more: ", "geheim\r"],
    ];
    const shown = await typeAtTerminal(runtime, "lock - -o b.locked", {
      folder,
      answers,
      before: "echo text |",
    });
    expect(shown).toMatch(/b\.locked: \d+ bytes/);
    expect(shown).not.toContain("geheim");
    const answersCtrlC: Answers = [["Password: ", "\x03"]];
    const left = { folder, answers: answersCtrlC, before: "cat b.locked |" };
    const end = "unlock - -o c.txt; echo ended with $?; stty -a";
    expect(await typeAtTerminal(runtime, end, left)).toMatch(/ended with 130[^]* echo /);
  });

  testWith("script")("asks again after Ctrl-Z, which stops all of a pipe", async () => {
    const folder = makeTempFolder();
    writeFileSync(join(folder, "a.txt"), "text");
    const answers: Answers = [
      ["Password: ", "\x1a"],
      ["Password: ", "geheim\r"],
      ["Once more: ", "geheim\r"],
    ];
    const before = "set -m; sleep 1 |";
    const shown = await typeAtTerminal(runtime, "lock a.txt; stty -a; fg", { folder, answers, before });
    expect(shown).toMatch(/Password: [^]* echo [^]*Password: [^]*a\.txt\.locked: \d+ bytes/);
    expect(shown).not.toContain("geheim");
  });

  testWith("script").each(SIGNALS)("leaves the terminal as it was on %s", async (signal) => {
    const folder = makeTempFolder();
    writeFileSync(join(folder, "a.txt"), "text");
    const end = (shown: string) => process.kill(Number(/pid (\d+)/.exec(shown)?.[1]), signal);
    const answers: Answers = [["Password: ", end]];
    const before = "sh -c 'echo pid $$; exec";
    expect(await typeAtTerminal(runtime, "lock a.txt'; stty -a", { folder, answers, before })).toMatch(
      / echo /,
    );
  });
});

const descriptor = "takes a password from a descriptor on a Node that is too old, and runs on a newer one";
testWith("an old Node")(descriptor, async () => {
  const folder = makeTempFolder();
  writeFileSync(join(folder, "a.txt"), "text");
  writeFileSync(join(folder, "word"), "pässwörd\n");
  const runtime = { ...NODE, command: placeOf("an old Node"), args: [] };
  const locked = await hushkit(runtime, ["lock", "a.txt", "--password-fd=3"], { folder, fd3: "word" });
  expect(locked).toMatchObject({ code: 0, out: "", err: "" });
  const env = { HUSHKIT_PASSWORD: "pässwörd" };
  const opened = await hushkit(NODE, ["unlock", "a.txt.locked", "-o", "-"], { folder, env });
  expect(opened).toMatchObject({ code: 0, out: "text" });
  const nothing = ["unlock", "a.txt.locked", "-o", "-", "--password-fd", "63"];
  const closed = await hushkit(runtime, nothing, { folder });
  expect(closed).toMatchObject({ code: 2, err: expect.stringContaining("--password-fd 63") });
});

const hasFullDisk = existsSync("/dev/full");
testIf(hasFullDisk, "needs /dev/full")(
  "says that a disk is full, by an exit code of its own kind",
  async () => {
    const folder = makeTempFolder();
    writeFileSync(join(folder, "a.txt"), "text");
    const env = { HUSHKIT_PASSWORD: "pässwörd" };
    const full = await hushkit(NODE, ["lock", "a.txt", "-o", "/dev/full"], { folder, env });
    expect(full).toMatchObject({ code: 2, err: "hushkit: There is no room left on the disk.\n" });
  },
);

test("administers the accounts of a database", async () => {
  const folder = makeTempFolder();
  const env = { DATABASE_URL: join(folder, "service.db") };
  const added = await hushkit(NODE, ["admin", "user", "add", "ann"], { folder, env });
  expect(added).toMatchObject({ code: 0, out: expect.stringMatching(/^name\tann\npassword\t/) });
  const listed = await hushkit(NODE, ["admin", "user", "list"], { folder, env });
  expect(listed).toMatchObject({ code: 0, out: expect.stringMatching(/^ann\t/) });
  const twice = await hushkit(NODE, ["admin", "user", "add", "ann"], { folder, env });
  expect(twice).toMatchObject({ code: 1, out: "" });
  const unclear = await hushkit(NODE, ["admin", "user"], { folder, env });
  expect(unclear).toMatchObject({ code: 2, err: expect.stringMatching(/^Usage: hushkit admin user/) });
});

/** Makes Node take itself for one that is too old, on a machine that has no other. */
const OLD_NODE =
  "data:text/javascript," +
  encodeURIComponent(
    'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "16.20.2" } });' +
      'Object.defineProperty(process, "arch", { value: "none" });',
  );

test("tells an old Node which one it needs", () => {
  const { status, stderr } = spawnSync(NODE.command, ["--import", OLD_NODE, PROGRAM, "password"], {
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^Node 16\.20\.2 is too old .*22\.18.*\n$/)]);
});

test("says its version on an old Node too, and why it cannot", () => {
  const ask = (stdout: "pipe" | number) =>
    spawnSync(NODE.command, ["--import", OLD_NODE, PROGRAM, "--version"], {
      encoding: "utf8",
      stdio: ["ignore", stdout, "pipe"],
    });
  expect(ask("pipe")).toMatchObject({ status: 0, stdout: `${about.version}\n`, stderr: "" });
  const closed = openSync(makeTempFolder(), "r");
  expect(ask(closed)).toMatchObject({ status: 1, stderr: expect.stringMatching(/too old/) });
  closeSync(closed);
});

test("says what is missing where images cannot be converted", async () => {
  const folder = makeTempFolder();
  writeFileSync(join(folder, "a.png"), "");
  const hidden =
    "data:text/javascript," +
    encodeURIComponent(
      'import { registerHooks } from "node:module"; registerHooks({ resolve(name, context, next) {' +
        'if (name === "sharp") throw new Error("hidden"); return next(name, context); } });',
    );
  const runtime = { ...NODE, args: [...NODE.args, "--import", hidden] };
  const missing = await hushkit(runtime, ["image", "a.png", "-f", "webp"], { folder });
  expect(missing).toMatchObject({ code: 2, err: expect.stringMatching(/^hushkit: .*sharp.*--server\.\n$/) });
});

test("keeps what Node compiled in a folder of the user's own", async () => {
  const folder = makeTempFolder();
  await hushkit(NODE, ["password"], { folder, env: { NODE_COMPILE_CACHE: undefined } });
  expect(existsSync(join(folder, ".cache", "hushkit"))).toBe(true);
});
