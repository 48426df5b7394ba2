import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { expect, test } from "vitest";
import { examplesOf } from "../../cli/definition.ts";
import { completionScript } from "../../cli/commands/completion.ts";
import { manPage } from "../../cli/docs/man-page.ts";
import { EXIT } from "../../cli/exit.ts";
import { wholeProgram } from "../../cli/program.ts";
import type { Io } from "../../cli/terminal/io.ts";
import { testWith } from "../machine/skips.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { openShell } from "./support/terminal.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8");
// Only used to list its commands.
const program = await wholeProgram({} as Io);

interface Listed {
  readonly path: string;
  readonly command: CommandUnknownOpts;
}

function listCommands(parent: CommandUnknownOpts, path = ""): Listed[] {
  return parent.commands.flatMap((command) => {
    const own = `${path} ${command.name()}`.trim();
    return [{ path: own, command }, ...listCommands(command, own)];
  });
}

const all = listCommands(program);
const paths = all.map(({ path }) => path);

test.each(paths)("hushkit %s is in help, README, reference and man page", async (path) => {
  const { command } = all.find((each) => each.path === path)!;
  const help = await openShell().run([...path.split(" "), "--help"]);
  expect(help).toMatchObject({ code: 0, err: "", out: expect.stringContaining(`hushkit ${path}`) });
  expect(examplesOf(command).length).toBeGreaterThan(0);
  for (const example of examplesOf(command)) expect(help.out).toContain(`  ${example}\n`);
  expect(read("README.md")).toContain(`\`${path.split(" ")[0]}\``);
  const reference = read("docs/cli.md");
  if (command.commands.length === 0) expect(reference).toContain(`\`hushkit ${path}`);
  for (const { long } of command.options) {
    expect([long, reference.includes(long ?? "")]).toEqual([long, true]);
  }
});

test("lists in the reference no option and no exit code that there is not", () => {
  const known = new Set(["--help", ...all.flatMap(({ command }) => command.options.map(({ long }) => long))]);
  const named = [...read("docs/cli.md").matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([option]) => option);
  expect(named.filter((option) => !known.has(option))).toEqual([]);
  const codes = [...read("docs/cli.md").matchAll(/^\| (\d+) \|/gm)].map(([, code]) => Number(code));
  expect(codes).toEqual(Object.values(EXIT));
});

test("has the man page of its definitions: `npm run man` writes it", () => {
  expect(read("docs/hushkit.1")).toBe(manPage(program));
});

test("examples are command lines that parse", async () => {
  const words = all.flatMap(({ command }) => examplesOf(command)).map((example) => commandOf(example));
  for (const [name, ...args] of words) {
    expect([name, paths.includes(name ?? "")]).toEqual([name, true]);
    const within = all.filter(({ path }) => `${path} `.startsWith(`${name} `));
    const known = new Set(
      within.flatMap(({ command }) => command.options.flatMap(({ short, long }) => [short, long])),
    );
    const unknown = args.filter((word) => /^--?[a-z]/.test(word) && !known.has(word));
    expect([name, unknown]).toEqual([name, []]);
  }
});

/** The words after `hushkit` in an example, up to a pipe or a redirection. */
function commandOf(example: string): string[] {
  const [, line = ""] = /hushkit (.*?)(?: [|<>3].*)?$/.exec(example) ?? [];
  return line.split(" ");
}

const SHELLS = ["bash", "zsh", "fish"] as const;

for (const shell of SHELLS) {
  testWith(shell)(`writes a script that ${shell} reads without a complaint`, () => {
    const path = join(makeTempFolder(), "script");
    writeFileSync(path, completionScript(program, shell));
    expect(execFileSync(shell, ["-n", path], { encoding: "utf8" })).toBe("");
  });
}

testWith("bash").each([
  [["hushkit", "rev"], "revoke"],
  [["hushkit", "pdf", "me"], "merge"],
  [["hushkit", "pdf", "merge", "a.pdf", "--o"], "--output"],
  [["hushkit", "image", "-f", "we"], "webp"],
  [["hushkit", "completion", "z"], "zsh"],
  [["hushkit", "send", "-x", "7"], "7d"],
  [["hushkit", "list", "--status", "coll"], "collected"],
  [["hushkit", "pdf", "rotate", "a.pdf", "--angle", "-"], "-90"],
  [["hushkit", "hash", "--algorithms", "bl"], "blake3"],
  [["hushkit", "token", "create", "ci", "--expires", "3"], "30d"],
  [["hushkit", "admin", "user", "add", "ann", "--p"], "--password-stdin"],
  [["hushkit", "admin", "restore", "a.db", "--secrets", "k"], "keep"],
  [["hushkit", "admin", "user", "role", "ann", "m"], "member"],
  [["hushkit", "image", "--format", "=", "we"], "webp"],
  [["hushkit", "password", "--list", "="], "large\nshort\ngerman\nfrench\nspanish"],
  [["hushkit", "help", "rev"], "revoke"],
  // Where no command and no word fits.
  [["hushkit", "nonsense", ""], ""],
  [["hushkit", "pdf", "nonsense", "me"], ""],
  [["hushkit", "send", "pdf", "me"], ""],
  [["hushkit", "completion", "bash", ""], "--help"],
  [["hushkit", "admin", "user", "role", ""], "--help"],
  [["hushkit", "send", "--", "-"], ""],
  [["hushkit", "send", "--", "-x", ""], ""],
])("bash completes %j to %s", (words, expected) => {
  const path = join(makeTempFolder(), "script");
  writeFileSync(path, completionScript(program, "bash"));
  const ask = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _hushkit; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const cwd = makeTempFolder();
  expect(execFileSync("bash", ["-c", ask, path, ...words], { cwd, encoding: "utf8" })).toBe(`${expected}\n`);
});

testWith("bash")("bash completes a name with a blank in it as one", () => {
  const [path, cwd] = [join(makeTempFolder(), "script"), makeTempFolder()];
  writeFileSync(path, completionScript(program, "bash"));
  writeFileSync(join(cwd, "my notes.txt"), "");
  const ask = `source "$0"; COMP_WORDS=(hushkit send my); COMP_CWORD=2; _hushkit; printf '%s\\n' "\${COMPREPLY[@]}"`;
  expect(execFileSync("bash", ["-c", ask, path], { cwd, encoding: "utf8" })).toBe("my notes.txt\n");
});

testWith("zsh")("zsh completes commands, options and their values", () => {
  const path = join(makeTempFolder(), "script");
  writeFileSync(path, completionScript(program, "zsh"));
  // What zsh's own completion system would be given.
  const stubs = `compdef() {}; _files() {}; _describe() { print -l -- "\${(@P)2}" }; compadd() { shift; print -l -- $@ }; compset() { [[ $words[CURRENT] == $~2* ]] }`;
  const complete = (...words: string[]) => completeLast(...words, '""');
  const completeLast = (...words: string[]) => {
    const ask = `${stubs}; source ${path}; words=(${words.join(" ")}); CURRENT=$#words; _hushkit`;
    return execFileSync("zsh", ["-fc", ask], { encoding: "utf8" });
  };
  expect(complete("hushkit")).toMatch(/^revoke:/m);
  expect(complete("hushkit", "pdf")).toMatch(/^merge:/m);
  expect(complete("hushkit", "admin", "user", "delete", "ann", "--secrets")).toBe("keep\nrevoke\n");
  expect(complete("hushkit", "pdf", "merge", "a.pdf")).toMatch(/^--output:/m);
  expect(complete("hushkit", "image", "-f")).toBe("webp\njpeg\npng\navif\n");
  expect(completeLast("hushkit", "image", "--format=we")).toBe("webp\njpeg\npng\navif\n");
  expect(complete("hushkit", "send", "-x")).toBe("15m\n1h\n1d\n7d\n30d\n");
  expect(complete("hushkit", "admin", "user", "role", "ann")).toMatch(/^admin\nmember$/m);
  expect(complete("hushkit", "admin", "user", "role")).not.toMatch(/^member$/m);
  expect(complete("hushkit", "nonsense")).toBe("");
});

testWith("fish")("fish completes commands, options and their values", () => {
  const [path, cwd] = [join(makeTempFolder(), "script"), makeTempFolder()];
  writeFileSync(path, completionScript(program, "fish"));
  const complete = (line: string) =>
    execFileSync("fish", ["-c", `source ${path}; complete -C '${line}'`], { cwd, encoding: "utf8" });
  expect(complete("hushkit rev")).toMatch(/^revoke\t/m);
  expect(complete("hushkit pdf me")).toMatch(/^merge\t/m);
  expect(complete("hushkit admin user a")).toMatch(/^add\t/m);
  expect(complete("hushkit pdf merge --o")).toMatch(/^--output\t/m);
  expect(complete("hushkit image -f we")).toMatch(/^webp/m);
  expect(complete("hushkit send -x 7")).toMatch(/^7d/m);
  expect(complete("hushkit list --status coll")).toMatch(/^collected/m);
  expect(complete("hushkit pdf rotate a.pdf --angle 27")).toMatch(/^270/m);
  expect(complete("hushkit image --format=we")).toMatch(/^--format=webp/m);
  expect(complete("hushkit --he")).toMatch(/^--help\t/m);
  expect(complete("hushkit completion z")).toMatch(/^zsh/m);
  expect(complete("hushkit admin user role ann m")).toMatch(/^member/m);
  expect(complete("hushkit help rev")).toMatch(/^revoke\t/m);
  // Where no command and no word fits.
  for (const line of [
    ...["nonsense ", "nonsense me", "pdf nonsense ", "send pdf me", "diff user a", "pdf merge sp"],
    ...["completion bash z", "admin user role a", "admin user add add", "send -- --e"],
  ])
    expect([line, complete(`hushkit ${line}`)]).toEqual([line, ""]);
});

test("loads no tool and no client before a command needs it", () => {
  const folder = new URL("cli/", ROOT);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  const eager = files.filter((file) => {
    const source = readFileSync(new URL(file, folder), "utf8");
    return /^import (?!type )[^;]*? from "(\.\.\/)+(tools|client(?!\/rest\.ts|\/answers\/(?:follow|not-hushkit|read-answer)\.ts)|adapters|main|administration)\b/m.test(
      source,
    );
  });
  // Loaded themselves when a command has failed, for BLAKE3, and by `hushkit mcp`. client/rest.ts and what it looks at answers with are small, and have no tRPC.
  const lazy = ["failure.ts", "files/blake3-thread.ts", "files/blake3-threads.ts", "mcp/tool.ts"];
  expect(eager.toSorted()).toEqual(lazy);
  const others = files.filter((file) => !file.startsWith("mcp/"));
  const early = others.filter((file) =>
    /^import [^;]*? from "[^"]*(\/mcp\/|@modelcontextprotocol)/m.test(
      readFileSync(new URL(file, folder), "utf8"),
    ),
  );
  expect(early).toEqual([]);
});
