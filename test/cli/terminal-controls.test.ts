import { expect, test } from "vitest";
import { showControls } from "../../cli/terminal/show-controls.ts";
import { withServer } from "../support/with-server.ts";
import { openShell, type Shell } from "./support/terminal.ts";

const service = withServer();
const HOSTILE = "a\x1b]0;title\x07\r\nb\rc\td\x9b2J\x7f\u202etxt.exe\u202c é🔑\n";
const SHOWN = "a<U+001B>]0;title<U+0007>\r\nb<U+000D>c\td<U+009B>2J<U+007F><U+202E>txt.exe<U+202C> é🔑\n";
const TOLD =
  "hushkit: warning: control characters are shown, as <U+001B>; a file or a pipe gets them as they are\n";
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
  expect(missing).toMatchObject({ code: 2, err: expect.stringContaining("a<U+001B>[2J") });
  shell.put("a\x1b[2J", "a");
  shell.put("list", `${"0".repeat(64)}  a\x1b[2J\n`);
  const checked = await shell.run(["hash", "--check", "list"], TERMINAL);
  expect(checked.out).toBe("a<U+001B>[2J: \x1b[31mFAILED\x1b[0m\n");
});

test("a comparison keeps its colours, and shows the controls of the texts", async () => {
  const shell = openShell();
  shell.put("a.txt", "one\n");
  shell.put("b.txt", "two\x1b[8m\x1b]0;x\x07\n");
  const { out } = await shell.run(["diff", "a.txt", "b.txt"], TERMINAL);
  expect(out).toContain("\x1b[31m- one\x1b[0m");
  expect(out).toContain("two<U+001B>[8m<U+001B>]0;x<U+0007>");
  expect((await shell.run(["diff", "a.txt", "b.txt"])).out).toContain("two\x1b[8m\x1b]0;x\x07");
});
