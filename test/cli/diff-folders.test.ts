// process
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { testWith } from "../machine/skips.ts";
import { withServer } from "../support/with-server.ts";
import { openShell, type Shell } from "./support/terminal.ts";

const service = withServer();
const LINES = Array.from({ length: 30 }, (_, i) => `line ${i}\n`);
const latin1 = (text: string) => Buffer.from(text, "latin1");

type Tree = Readonly<Record<string, string | Uint8Array>>;

const OLD: Tree = {
  "a.txt": LINES.join(""),
  "a/below": "a\n",
  "a-b": "x\n",
  "deep/er/gone": "gone\n",
  emptied: "was here\n",
  "empty gone": "",
  latin: latin1("één\ntwee\n"),
  "my notes": "old\n",
  "no newline": "x",
  same: "same\n",
};
const NEW: Tree = {
  "a.txt": LINES.with(3, "changed\n").with(25, "changed too\n").join(""),
  "a/below": "a\nb\n",
  "a/new": "new\n",
  emptied: "",
  "empty new": "",
  latin: latin1("één\ndrïe\n"),
  "my notes": "new\n",
  'new "name"\t\\é\n': "x\n",
  "no newline": "x\n",
  same: "same\n",
};

function putTree(shell: Shell, { name, tree }: { name: string; tree: Tree }): void {
  for (const [path, content] of Object.entries(tree)) {
    const place = join(shell.folder, name, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content);
  }
}

/** Two folders that differ in all that a patch can hold. */
function fillFolders(): Shell {
  const shell = openShell(service);
  putTree(shell, { name: "old", tree: OLD });
  putTree(shell, { name: "new", tree: NEW });
  for (const name of ["old", "new"]) {
    writeFileSync(join(shell.folder, name, "run"), `#!/bin/sh\n`);
    symlinkSync(name === "old" ? "a.txt" : "a-b", join(shell.folder, name, "link"));
  }
  symlinkSync("..", join(shell.folder, "new", "up"));
  symlinkSync("same", join(shell.folder, "new", "turned"));
  writeFileSync(join(shell.folder, "old", "turned"), "a file\n");
  chmodSync(join(shell.folder, "new", "run"), 0o755);
  return shell;
}

/** Every file below a folder with its content and whether it can run, and every link with its target. */
function readTree(folder: string): Record<string, string> {
  // Its option `recursive` would follow links.
  const names = readdirSync(folder).sort();
  const entries = names.flatMap((name): [string, string][] => {
    const place = join(folder, name);
    const found = lstatSync(place);
    if (found.isSymbolicLink()) return [[name, `-> ${readlinkSync(place)}`]];
    if (found.isFile()) return [[name, `${found.mode & 0o100} ${readFileSync(place, "latin1")}`]];
    return Object.entries(readTree(place)).map(([path, content]) => [`${name}/${path}`, content]);
  });
  return Object.fromEntries(entries);
}

const BINARY = Uint8Array.of(0, 1, 2);

const APPLIERS = [
  ["git", "apply", "-"],
  ["patch", "-p1", "-s"],
] as const;

testWith("git", "patch").each(APPLIERS)(
  "makes the first folder the second one by a patch through %s",
  async (program, ...args) => {
    const shell = fillFolders();
    const { code, bytes, err } = await shell.run(["diff", "-u", "old", "new/"]);
    expect([code, err]).toEqual([1, "hushkit: warning: latin: read as Latin-1.\n"]);
    cpSync(shell.path("old"), shell.path("patched"), { recursive: true, verbatimSymlinks: true });
    const applied = spawnSync(program, args, { cwd: shell.path("patched"), input: bytes, encoding: "utf8" });
    expect(applied).toMatchObject({ status: 0, stdout: "", stderr: "" });
    expect(readTree(shell.path("patched"))).toEqual(readTree(shell.path("new")));
    expect(await shell.run(["diff", "-u", "patched", "new"])).toMatchObject({ code: 0, out: "" });
  },
);

/** Of `git diff --no-index`, which ends with 1 where folders differ. */
function gitDiff(shell: Shell, ...args: string[]): string {
  const config = ["-c", "core.quotePath=false", "-c", "diff.indentHeuristic=true"];
  const all = [...config, "diff", "--no-index", "--no-renames", ...args, "old", "new"];
  return spawnSync("git", all, { cwd: shell.folder, encoding: "utf8" }).stdout;
}

testWith("git")("lists the files that git lists, in its order and letters", async () => {
  const shell = fillFolders();
  const { code, out } = await shell.run(["diff", "old", "new"]);
  // T is a file in place of a link, which is told, and patched, as two files.
  const listed = gitDiff(shell, "--name-status")
    .replace(/^(\w\t"?)(old|new)\//gm, "$1")
    .replace(/^T\t(.*)$/gm, "D\t$1\nA\t$1");
  expect([code, out]).toEqual([1, listed]);
});

testWith("git")("writes the patch that git writes, but for its ids and the folders' names", async () => {
  const shell = fillFolders();
  for (const name of ["old", "new"]) rmSync(join(shell.folder, name, "latin"));
  const { out } = await shell.run(["diff", "-u", "old", "new"]);
  const written = gitDiff(shell)
    .replace(/^index .*\n/gm, "")
    .replace(/(?<=[ "])([ab])\/(old|new)\//g, "$1/")
    .replace(/^diff --git (a\/empty \w+) (b\/empty \w+)$/gm, 'diff --git "$1" "$2"')
    .replace(/^diff --git a\/link .*$/gm, "$&\nold mode 120000\nnew mode 120000")
    .replace(/^(@@ .* @@) .*$/gm, "$1")
    .replace(/^(@@.*)(-\d+|\+\d+),1(?=.*@@)/gm, "$1$2");
  const plain = out.replace(/^index .*\n/gm, "").replace(/([-+]\d+),1(?= )/g, "$1");
  expect(plain).toBe(written);
});

testWith("git", "patch").each(APPLIERS)(
  "tells binary files in a patch that %s applies without them",
  async (program, ...args) => {
    const shell = openShell();
    const same = { "a/bin": BINARY, z: "z\n" };
    putTree(shell, { name: "old", tree: { ...same, bin: BINARY, "gone.bin": BINARY, utf16: "x\n" } });
    const utf16 = Buffer.from("\ufeffx\n", "utf16le");
    const more = { bin: Uint8Array.of(0), "a/new": "", "a/new.bin": BINARY, z: "Z\n", utf16 };
    putTree(shell, { name: "new", tree: { ...same, ...more } });
    const { out, bytes } = await shell.run(["diff", "-u", "old", "new"]);
    expect(out.match(/^Binary.*/gm)).toEqual([
      "Binary files /dev/null and b/a/new.bin differ",
      "Binary files a/bin and b/bin differ",
      "Binary files a/gone.bin and /dev/null differ",
      "Binary files a/utf16 and b/utf16 differ",
    ]);
    execFileSync(program, args, { cwd: shell.path("old"), input: bytes });
    expect(readFileSync(shell.path("old/z"), "utf8")).toBe("Z\n");
    expect(readFileSync(shell.path("old/a/new"), "utf8")).toBe("");
    const { out: left } = await shell.run(["diff", "old", "new"]);
    expect(left).toBe("A\ta/new.bin\nM\tbin\nD\tgone.bin\nM\tutf16\n");
  },
);

test("compares folders on the server as here, with the options of texts", async () => {
  const shell = openShell(service);
  putTree(shell, { name: "old", tree: { a: "a b\n", b: "B\n", c: "c\n" } });
  putTree(shell, { name: "new", tree: { a: "ab\n", b: "b\n", c: "c\n\n", d: " \n" } });
  for (const more of [[], ["--server"]]) {
    expect((await shell.run(["diff", "old", "new", ...more])).out).toBe("M\ta\nM\tb\nM\tc\nA\td\n");
    expect((await shell.run(["diff", "old", "new", "-w", ...more])).out).toBe("M\tb\nM\tc\nA\td\n");
    expect((await shell.run(["diff", "old", "new", "-iwB", ...more])).out).toBe("A\td\n");
  }
});

test("prints what differs as JSON, with the patch if it is wanted", async () => {
  const shell = openShell();
  putTree(shell, { name: "old", tree: { a: "a\n", bin: BINARY } });
  putTree(shell, { name: "new", tree: { bin: Uint8Array.of(0), c: "c\n" } });
  const { code, out } = await shell.run(["diff", "old", "new", "--json"]);
  const files = [
    { path: "a", status: "removed" },
    { path: "bin", status: "changed", binary: true },
    { path: "c", status: "added" },
  ];
  expect([code, JSON.parse(out)]).toEqual([1, { identical: false, files }]);
  const patch = (await shell.run(["diff", "-u", "old", "new"])).out;
  const withPatch = await shell.run(["diff", "-u", "old", "new", "--json"]);
  expect(JSON.parse(withPatch.out)).toEqual({ identical: false, files, patch });
  const none = await shell.run(["diff", "old", "old", "--json"]);
  expect([none.code, JSON.parse(none.out)]).toEqual([0, { identical: true, files: [] }]);
});

test("follows no link to a folder, and refuses what folders are not compared by", async () => {
  const shell = openShell();
  putTree(shell, { name: "old", tree: { a: "a\n" } });
  putTree(shell, { name: "new", tree: { a: "a\n" } });
  symlinkSync(".", shell.path("old/loop"));
  expect(await shell.run(["diff", "old", "new"])).toMatchObject({ code: 1, out: "D\tloop\n" });
  for (const flag of ["--words", "--chars"]) {
    const refused = await shell.run(["diff", "old", "new", flag]);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("Folders are compared by line") });
  }
  const mixed = await shell.run(["diff", "old", "new/a"]);
  expect(mixed).toMatchObject({ code: 2, err: "hushkit: old: this is a folder.\n" });
});
