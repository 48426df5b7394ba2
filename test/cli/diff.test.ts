// process
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { testWith } from "../machine/skips.ts";
import { openShell } from "./support/terminal.ts";

const TEXT = "één\ntwee\n";
const utf16le = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");
const utf16be = (text: string) => utf16le(text).swap16();
const latin1 = (text: string) => Buffer.from(text, "latin1");

test.each([
  ["UTF-16LE", utf16le(TEXT)],
  ["UTF-16BE", utf16be(TEXT)],
  ["Latin-1", latin1(TEXT)],
])("reads %s, with a line on standard error that says so", async (encoding, bytes) => {
  const shell = openShell();
  shell.put("old.txt", bytes);
  shell.put("same.txt", TEXT);
  shell.put("new.txt", TEXT.replace("twee", "drie"));
  const err = `hushkit: warning: old.txt: read as ${encoding}.\n`;
  expect(await shell.run(["diff", "old.txt", "same.txt"])).toMatchObject({ code: 0, out: "", err });
  expect(await shell.run(["diff", "old.txt", "new.txt"])).toMatchObject({
    code: 1,
    out: "1 1   één\n2   - twee\n  2 + drie\n",
    err,
  });
});

const elf = Uint8Array.of(0x7f, 69, 76, 70, 0, 10);

test.each([
  ["NUL bytes", elf],
  ["UTF-8 with a NUL", "one\0two\n"],
  ["half a unit of UTF-16", Uint8Array.of(0xff, 0xfe, 65, 0, 66)],
  ["half a surrogate pair", Uint8Array.of(0xff, 0xfe, 65, 0, 0, 0xd8)],
  ["UTF-32", Uint8Array.of(0xff, 0xfe, 0, 0, 65, 0, 0, 0)],
  ["UTF-16 without a mark", Uint8Array.of(65, 0, 66, 0)],
])("says of a file with %s only whether it differs", async (_, bytes) => {
  const shell = openShell();
  shell.put("a.bin", bytes);
  shell.put("b.bin", bytes);
  shell.put("text", "one\n");
  for (const flags of [[], ["-u"], ["--words"], ["-w"]]) {
    const same = await shell.run(["diff", "a.bin", "b.bin", ...flags]);
    expect(same).toMatchObject({ code: 0, out: "", err: "" });
    const other = await shell.run(["diff", "a.bin", "text", ...flags]);
    expect(other).toMatchObject({ code: 1, out: "Binary files a.bin and text differ\n", err: "" });
  }
  const { code, out } = await shell.run(["diff", "text", "a.bin", "--json"]);
  expect([code, JSON.parse(out)]).toEqual([1, { identical: false, binary: true }]);
});

test("takes bytes behind a mark of UTF-16 that are none for Latin-1", async () => {
  const shell = openShell();
  shell.put("a", Uint8Array.of(0xff, 0xfe, 65));
  shell.put("b", "ÿþA");
  expect(await shell.run(["diff", "a", "b"])).toMatchObject({
    code: 0,
    err: expect.stringContaining("Latin-1"),
  });
});

testWith("GNU diff")("says of binary files what GNU diff says", async () => {
  const shell = openShell();
  shell.put("a.bin", elf);
  shell.put("b.bin", Uint8Array.of(...elf, 1));
  const { out, code } = await shell.run(["diff", "a.bin", "b.bin", "-u"]);
  const said = execFileSync("sh", ["-c", "diff -u a.bin b.bin || test $? = 1"], { cwd: shell.folder });
  expect([code, out]).toEqual([1, said.toString()]);
});

testWith("git", "patch").each([
  ["git", "apply", "-"],
  ["patch", "-p1", "-s"],
])("writes a patch of Latin-1 that %s applies", async (program, ...args) => {
  const shell = openShell();
  // The other file is UTF-8, and the name has a letter that Latin-1 lacks.
  shell.put("łąka.txt", latin1(TEXT));
  shell.put("new.txt", TEXT.replace("twee", "drie €"));
  const { bytes, err } = await shell.run(["diff", "łąka.txt", "new.txt", "-u"]);
  expect(err).toBe("hushkit: warning: łąka.txt: read as Latin-1.\n");
  const [first, hunks] = [bytes.subarray(0, bytes.indexOf("+++")), bytes.subarray(bytes.indexOf("@@"))];
  expect(first.toString()).toBe("--- a/łąka.txt\n");
  const input = Buffer.concat([first, Buffer.from("+++ b/łąka.txt\n"), hunks]);
  execFileSync(program, args, { cwd: shell.folder, input });
  expect(shell.read("łąka.txt").equals(shell.read("new.txt"))).toBe(true);
});

test("compares by character, and never in two ways at once", async () => {
  const shell = openShell();
  shell.put("old.txt", "colour e\u0301\n");
  shell.put("new.txt", "color é\n");
  const { out, code } = await shell.run(["diff", "old.txt", "new.txt", "--chars"]);
  expect([code, out]).toEqual([1, "colo[-u-]r [-e\u0301-]{+é+}\n"]);
  for (const flag of ["--words", "-u", "-B"]) {
    expect((await shell.run(["diff", "old.txt", "new.txt", "--chars", flag])).code).toBe(2);
  }
});

test("says that only the normalization differs, on standard error", async () => {
  const shell = openShell();
  shell.put("mac.txt", "cafe\u0301\n");
  shell.put("linux.txt", "café\n");
  for (const flags of [[], ["-u"], ["--words"], ["--chars"]]) {
    const { code, err } = await shell.run(["diff", "mac.txt", "linux.txt", ...flags]);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^hushkit: warning: .*Unicode normalization.*\n$/),
    ]);
  }
});

test("says that a patch of UTF-16 is in UTF-8", async () => {
  const shell = openShell();
  shell.put("old.txt", utf16le(TEXT));
  shell.put("new.txt", utf16le(TEXT.replace("twee", "drie")));
  const { out, err } = await shell.run(["diff", "old.txt", "new.txt", "-u"]);
  expect(out).toBe("--- a/old.txt\n+++ b/new.txt\n@@ -1,2 +1,2 @@\n één\n-twee\n+drie\n");
  expect(err.split("\n")).toEqual([
    "hushkit: warning: old.txt: read as UTF-16LE; the patch is in UTF-8.",
    "hushkit: warning: new.txt: read as UTF-16LE; the patch is in UTF-8.",
    "",
  ]);
});

test("says where lines have moved to, without colors too", async () => {
  const shell = openShell();
  const block = ["export function readPageRange() {", "  return pages;", "}"];
  const rest = Array.from({ length: 10 }, (_, i) => `line ${i} that stays where it is`);
  shell.put("a.txt", `${[...block, ...rest].join("\n")}\n`);
  shell.put("b.txt", `${[...rest, ...block].join("\n")}\n`);
  const { code, out } = await shell.run(["diff", "--moved", "--context", "0", "a.txt", "b.txt"]);
  expect(code).toBe(1);
  expect(out).toContain(" - export function readPageRange() { (moved to line 11)\n");
  expect(out).toContain(" + export function readPageRange() { (moved from line 1)\n");
  expect((await shell.run(["diff", "--moved", "-u", "a.txt", "b.txt"])).code).toBe(2);
});
