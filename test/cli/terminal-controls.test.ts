import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { showControls } from "../../cli/terminal/io.ts";
import { placeOf, testWith } from "../machine/skips.ts";
import { withServer } from "../support/with-server.ts";
import { environmentOf, NODE, PROGRAM } from "./support/program.ts";
import { openShell, type Shell } from "./support/terminal.ts";

const service = withServer();
const HOSTILE =
  "a\x1b]0;title\x07\r\nb\rc\td\x9b2J\x7f\u202etxt.exe\u202c e\u200bf\u{e0041}\u2028\x1b[31mé🔑👩‍🚀\n";
const SHOWN =
  "a^[]0;title^G\r\nb^Mc\td<U+009B>2J^?<U+202E>txt.exe<U+202C> e<U+200B>f<U+E0041><U+2028>^[[31mé🔑👩‍🚀\n";
const TOLD =
  "hushkit: warning: control characters are shown, as ^[ or <U+202E>; a file or a pipe gets them as they are\n";
const TERMINAL = { isTerminal: true };

async function send(shell: Shell, text: string): Promise<string> {
  return (await shell.run(["send"], { stdin: text })).out.trim();
}

async function answered(shell: Shell, text: string): Promise<string> {
  const [give = "", keep = ""] = (await shell.run(["ask"])).out.split("\n");
  await shell.run(["answer", give], { stdin: text });
  return keep;
}

test.each([
  ["open", send],
  ["collect", answered],
])("%s shows the control characters of a text on a terminal, and says so", async (command, make) => {
  const shell = openShell(service);
  const shown = await shell.run([command, await make(shell, HOSTILE)], TERMINAL);
  expect(shown).toMatchObject({ code: 0, out: SHOWN, err: expect.stringContaining(TOLD) });
  const harmless = await shell.run([command, await make(shell, "a\tb\r\nc\n")], TERMINAL);
  expect(harmless.out).toBe("a\tb\r\nc\n");
  expect(harmless.err).not.toContain("control characters");
});

test.each([
  ["open", send],
  ["collect", answered],
])("%s leaves a text as it is in a pipe and in a file", async (command, make) => {
  const shell = openShell(service);
  const piped = await shell.run([command, await make(shell, HOSTILE)]);
  expect(piped).toMatchObject({ code: 0, out: HOSTILE, err: "" });
  const link = await make(shell, HOSTILE);
  expect(await shell.run([command, link, "-o", "a.txt"], TERMINAL)).toMatchObject({ code: 0, out: "" });
  expect(shell.read("a.txt").toString()).toBe(HOSTILE);
});

test("JSON on a terminal is the same JSON, with nothing that a terminal obeys", async () => {
  const shell = openShell(service);
  const { out } = await shell.run(["open", await send(shell, HOSTILE), "--json"], TERMINAL);
  expect(showControls(out)).toBe(out);
  expect(JSON.parse(out)).toMatchObject({ content: HOSTILE });
});

test("shows those of the message beside several files", async () => {
  const shell = openShell(service);
  shell.put("a.txt", "a");
  const sent = await shell.run(["send", "a.txt", "-m", "-"], { stdin: HOSTILE });
  const opened = await openShell(service).run(["open", sent.out.trim()], TERMINAL);
  expect(opened).toMatchObject({ code: 0, out: SHOWN, err: expect.stringContaining(TOLD) });
});

test("shows those in words of a server, and in names of files", async () => {
  const shell = openShell();
  const missing = await shell.run(["hash", "a\x1b[2J"], TERMINAL);
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining("a^[[2J") });
  shell.put("a\x1b[2J", "a");
  shell.put("list", `${"0".repeat(64)}  a\x1b[2J\n`);
  const checked = await shell.run(["hash", "--check", "list"], TERMINAL);
  expect(checked.out).toBe("a^[[2J: \x1b[31mFAILED\x1b[0m\n");
});

test("a comparison keeps its colours, and shows the controls of the texts", async () => {
  const shell = openShell();
  shell.put("a.txt", "one\n");
  shell.put("b.txt", "two\x1b[8m\x1b]0;x\x07\x1b[32m\n");
  const { out } = await shell.run(["diff", "a.txt", "b.txt"], TERMINAL);
  expect(out).toContain("\x1b[31m- one\x1b[0m");
  expect(out).toContain("two^[[8m^[]0;x^G");
  expect(out).toContain("^[[32m\x1b[0m");
  expect((await shell.run(["diff", "a.txt", "b.txt"])).out).toContain("two\x1b[8m\x1b]0;x\x07\x1b[32m\n");
});

test("colours that were asked for in a pipe are plain ones, around texts as they are", async () => {
  const shell = openShell();
  shell.put("a.txt", "one\n");
  shell.put("b.txt", Buffer.from("\xe9\x1b[8m\n", "latin1"));
  const env = { FORCE_COLOR: "1" };
  const { bytes } = await shell.run(["diff", "-u", "a.txt", "b.txt"], { env });
  expect(bytes.toString("latin1")).toContain("\x1b[31m-one\x1b[0m\n\x1b[32m+\xe9\x1b[8m\x1b[0m\n");
});

test("shows those in checksum lines that end in NUL, and in what a server says", async () => {
  const shell = openShell();
  shell.put("a\x9b2J", "a");
  const { out } = await shell.run(["hash", "--zero", "a\x9b2J"], TERMINAL);
  expect(out).toMatch(/^[0-9a-f]{64} {2}a<U\+009B>2J\^@$/);
  const hostile = {
    ...service,
    request: async (path: string, init?: RequestInit) => {
      const { headers, status, body } = await service.request(path, init);
      const text = await new Response(body).text();
      return new Response(text.replaceAll("must be", "\\u001b[2J\\u202e"), { headers, status });
    },
  };
  const told = await openShell(hostile).run(["send", "-x", "91d"], { stdin: "a", ...TERMINAL });
  expect(told).toMatchObject({ code: 2, err: expect.stringContaining("^[[2J<U+202E>") });
  expect(showControls(told.err)).toBe(told.err);
});

test("nothing of the command line writes to a terminal but through one writer", () => {
  const folder = new URL("../../cli/", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const writing = files.filter((file) => {
    if (!file.endsWith(".ts")) return false;
    return /\bstd(?:out|err)\.write\(/.test(readFileSync(new URL(file, folder), "utf8"));
  });
  // Those beside io.ts write bytes where there is no terminal, and messages of MCP.
  expect(writing.toSorted()).toEqual(["files/output.ts", "mcp/line-transport.ts", "terminal/io.ts"]);
});

testWith("script")("a real terminal gets none of them", async () => {
  const shell = openShell();
  shell.put("a.txt", "one\n");
  shell.put("b.txt", "two\x1b[8m\x1b]0;x\x07\x9b2J\u202e\n");
  const program = [NODE.command, ...NODE.args, PROGRAM].map((word) => `'${word}'`);
  const command = [...program, "diff", "a.txt", "b.txt"].join(" ");
  const child = spawnSync(placeOf("script"), ["-qec", `${command}; :`, "/dev/null"], {
    cwd: shell.folder,
    env: { ...environmentOf(shell.folder), TERM: "xterm" },
    input: "",
  });
  const shown = child.stdout.toString();
  expect(shown).toContain("two^[[8m^[]0;x^G<U+009B>2J<U+202E>");
  expect(shown.replaceAll(/\x1b\[\d+m/g, "")).not.toMatch(/[\x1b\x07\x9b\u202e]/);
});
