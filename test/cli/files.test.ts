// process
import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { execFileSync, spawnSync } from "node:child_process";
import { unzipSync } from "fflate";
import { expect, onTestFinished, test } from "vitest";
import { nameChanged } from "../../cli/files/input.ts";
import { utf8 } from "../../wire/bytes.ts";
import { ToolFailure } from "../../wire/tool-failure.ts";
import { collectPieces } from "../tools/support/pieces.ts";
import { readForward } from "../tools/support/read-zip.ts";
import { testIf, testWith } from "../machine/skips.ts";
import { makeBlankPdf } from "../support/samples.ts";
import { bytesOf, picture } from "../tools/image/support/made.ts";
import { withServer } from "../support/with-server.ts";
import { openShell, type Shell } from "./support/terminal.ts";

const service = withServer();
/** Encrypted by qpdf; "geheim" opens it. */
const LOCKED_PDF = readFileSync(new URL("../files/encrypted/aes-256-r6.pdf", import.meta.url));
const OLD = "one\ntwo\nthree\n";
const NEW = "one\n2\nthree";

async function fill(shell: Shell): Promise<Shell> {
  shell.put("a.pdf", await makeBlankPdf([201, 202, 203]));
  shell.put("b.pdf", await makeBlankPdf([301, 302]));
  shell.put("locked.pdf", LOCKED_PDF);
  shell.put("photo.png", await bytesOf(picture(40, 30).png()));
  shell.put("photo.gif", await bytesOf(picture(40, 30).gif()));
  shell.put("old.txt", OLD);
  shell.put("new.txt", NEW);
  shell.put("nfc.txt", "\u00e4");
  shell.put("nfd.txt", "a\u0308");
  return shell;
}

/** Commands that make a file, and the name that it gets without -o. */
const MAKING: readonly [name: string, ...args: string[]][] = [
  ["a-merged.pdf", "pdf", "merge", "a.pdf", "b.pdf:end,1"],
  ["photo-merged.pdf", "pdf", "merge", "photo.png", "photo.gif", "a.pdf", "--fit", "a4"],
  ["a-pages.zip", "pdf", "split", "a.pdf"],
  ["a-pages.pdf", "pdf", "split", "a.pdf", "--keep", "3,1"],
  ["a-pages.pdf", "pdf", "split", "a.pdf", "--drop", "2"],
  ["a-rotated.pdf", "pdf", "rotate", "a.pdf", "--angle", "-90", "--range", "2-end"],
  ["locked-unlocked.pdf", "pdf", "unlock", "locked.pdf"],
  ["photo.webp", "image", "photo.png", "-f", "webp"],
  ["photo.jpg", "image", "photo.png", "-f", "jpeg", "-q", "50"],
  ["photo.avif", "image", "photo.png", "-f", "avif", "--width", "10"],
];

test.each(MAKING)(
  "writes %s, the same bytes and facts as the server's: %s %s %s %s",
  async (name, ...args) => {
    const shell = await fill(openShell(service));
    const env = { HUSHKIT_PASSWORD: "geheim" };
    const nowhere = { env: { ...env, HUSHKIT_URL: "http://127.0.0.1:9" } };
    const here = await shell.run([...args, "--json"], nowhere);
    expect(here).toMatchObject({ code: 0, err: "" });
    const bytes = shell.read(name);
    const there = await shell.run([...args, "--json", "--server", "--force"], { env });
    expect(there).toMatchObject({ code: 0, err: "" });
    expect(bytes.equals(shell.read(name))).toBe(true);
    expect(JSON.parse(here.out)).toEqual(JSON.parse(there.out));
    expect(JSON.parse(here.out)).toMatchObject({ name, size: bytes.length, warnings: [] });
  },
);

/** Commands that print. */
const PRINTING: readonly string[][] = [
  ["diff", "old.txt", "new.txt"],
  ["diff", "old.txt", "new.txt", "-u"],
  ["diff", "old.txt", "new.txt", "--words", "-w"],
  ["diff", "old.txt", "new.txt", "-b"],
  ["diff", "nfc.txt", "nfd.txt"],
  ["diff", "old.txt", "new.txt", "--chars"],
  ["diff", "old.txt", "new.txt", "-u", "-B"],
  ["hash", "a.pdf", "-a", "sha256,md5"],
];

test.each(PRINTING)("prints what the server answers: %s %s %s %s", async (...args) => {
  const shell = await fill(openShell(service));
  const here = await shell.run([...args, "--json"], { env: { HUSHKIT_URL: "http://127.0.0.1:9" } });
  const there = await shell.run([...args, "--json", "--server"]);
  expect(JSON.parse(here.out)).toEqual(JSON.parse(there.out));
  expect(here.code).toBe(there.code);
});

test("locks several files as one ZIP, here and on the server", async () => {
  const shell = await fill(openShell(service));
  const env = { HUSHKIT_PASSWORD: "pässwörd" };
  for (const place of [[], ["--server"]]) {
    const lock = ["lock", "old.txt", "new.txt", "--force", ...place];
    expect(await shell.run(lock, { env })).toMatchObject({ code: 0, out: "" });
    expect(await shell.run(["unlock", "files.zip.locked", "--force"], { env })).toMatchObject({ code: 0 });
    const texts = Object.entries(unzipSync(shell.read("files.zip"))).map(([name, bytes]) => [
      name,
      Buffer.from(bytes).toString(),
    ]);
    expect(texts).toEqual([
      ["old.txt", OLD],
      ["new.txt", NEW],
    ]);
  }
});

test("locks what can be read only once beside files, each with its size before it", async () => {
  const shell = await fill(openShell());
  const env = { HUSHKIT_PASSWORD: "pässwörd" };
  const stdin = "x".repeat(100_000);
  expect(await shell.run(["lock", "old.txt", "-"], { env, stdin })).toMatchObject({ code: 0, err: "" });
  expect(await shell.run(["unlock", "files.zip.locked"], { env })).toMatchObject({ code: 0 });
  const { entries } = readForward(shell.read("files.zip"));
  expect(entries.map(({ name, data }) => [name, data.toString()])).toEqual([
    ["old.txt", OLD],
    ["file", stdin],
  ]);
});

test("names the file of several that was changed while it was read", async () => {
  async function* changed() {
    yield utf8("a");
    throw new ToolFailure("damaged_file", "A file was changed while it was read", { file: 1 });
  }
  await expect(collectPieces(nameChanged(changed(), ["a.txt", "b.txt"]))).rejects.toMatchObject({
    exitCode: 2,
    message: "b.txt: it was changed while it was read.",
  });
});

test("locks a file that the server opens, and opens one that the server locked", async () => {
  const shell = await fill(openShell(service));
  const env = { HUSHKIT_PASSWORD: "pässwörd" };
  expect(await shell.run(["lock", "old.txt"], { env })).toMatchObject({ code: 0, out: "" });
  shell.put("old.txt", "changed since");
  expect(await shell.run(["unlock", "old.txt.locked"], { env })).toMatchObject({ code: 2 });
  expect(shell.read("old.txt").toString()).toBe("changed since");
  expect(await shell.run(["unlock", "old.txt.locked", "--server", "--force"], { env })).toMatchObject({
    code: 0,
  });
  expect(shell.read("old.txt").toString()).toBe(OLD);
  const locked = await shell.run(["lock", "-", "--server"], { env, stdin: NEW });
  expect(await shell.run(["unlock", "-"], { env, stdin: locked.bytes })).toMatchObject({ code: 0, out: NEW });
});

test("brings back a name that begins with a dot, and emoji that are joined", async () => {
  const shell = await fill(openShell(service));
  const env = { HUSHKIT_PASSWORD: "pässwörd" };
  for (const name of [".env", "\u{1f469}\u200d\u{1f4bb} keys.txt"]) {
    for (const place of [[], ["--server"]]) {
      shell.put(name, "A=1");
      expect((await shell.run(["lock", name, "--force", ...place], { env })).code).toBe(0);
      shell.put(name, "B=2");
      const unlocking = ["unlock", `${name}.locked`, "--force", "--any-name", ...place];
      expect((await shell.run(unlocking, { env })).code).toBe(0);
      expect(shell.read(name).toString()).toBe("A=1");
    }
  }
});

test("leaves nothing of a locked file that was cut or changed, nor a part of it in a pipe", async () => {
  const shell = await fill(openShell(service));
  const env = { HUSHKIT_PASSWORD: "pässwörd" };
  shell.put("long.bin", "0123456789abcdef".repeat(20_000));
  expect((await shell.run(["lock", "long.bin"], { env })).code).toBe(0);
  const locked = new Uint8Array(shell.read("long.bin.locked"));
  shell.put("cut.locked", locked.subarray(0, 200_000));
  shell.put("changed.locked", locked.with(250_000, (locked[250_000] ?? 0) ^ 1));
  shell.put("long.bin", "mine");
  const before = readdirSync(shell.folder).sort();
  for (const file of ["cut.locked", "changed.locked"]) {
    expect((await shell.run(["unlock", file, "--force"], { env })).code).toBe(2);
    expect(await shell.run(["unlock", file, "-o", "-"], { env })).toMatchObject({ code: 2, out: "" });
  }
  expect(shell.read("long.bin").toString()).toBe("mine");
  expect(readdirSync(shell.folder).sort()).toEqual(before);
});

test("says of a locked and an unlocked file what the server says", async () => {
  const shell = await fill(openShell(service));
  const env = { HUSHKIT_PASSWORD: "pässwörd" };
  const facts = async (...args: string[]) => {
    const { code, out } = await shell.run([...args, "--json", "--force"], { env });
    expect(code).toBe(0);
    const { sha256, ...rest } = JSON.parse(out) as { sha256: string; name: string };
    const digest = createHash("sha256").update(shell.read(rest.name)).digest("hex");
    expect(sha256).toBe(digest);
    return rest;
  };
  const locked = await facts("lock", "old.txt");
  expect(locked).toMatchObject({ name: "old.txt.locked", direction: "lock", filename: "old.txt" });
  expect(locked).toEqual(await facts("lock", "old.txt", "--server"));
  const unlocked = await facts("unlock", "old.txt.locked");
  expect(unlocked).toMatchObject({ name: "old.txt", direction: "unlock", size: OLD.length });
  expect(unlocked).toEqual(await facts("unlock", "old.txt.locked", "--server"));
  expect((await shell.run(["lock", "-", "--json"], { env, stdin: OLD })).code).toBe(2);
});

test("never overwrites without --force, and leaves nothing half-written", async () => {
  const shell = await fill(openShell());
  shell.put("out.pdf", "precious");
  const refused = await shell.run(["pdf", "rotate", "a.pdf", "-o", "out.pdf"]);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("--force") });
  expect(shell.read("out.pdf").toString()).toBe("precious");
  const broken = await shell.run(["pdf", "rotate", "old.txt", "-o", "new.pdf"]);
  expect(broken.code).toBe(2);
  const before = readdirSync(shell.folder);
  expect(await shell.run(["pdf", "rotate", "a.pdf", "-o", "out.pdf", "--force"])).toMatchObject({ code: 0 });
  expect(shell.read("out.pdf").subarray(0, 5).toString()).toBe("%PDF-");
  expect(readdirSync(shell.folder)).toEqual(before);
  expect(await shell.run(["pdf", "rotate", "a.pdf", "-o", "none/out.pdf"])).toMatchObject({ code: 2 });
});

test("makes the folder of -o, and calls the result there as it would be called here", async () => {
  const shell = await fill(openShell());
  const env = { HUSHKIT_PASSWORD: "pässwörd" };
  expect(await shell.run(["pdf", "rotate", "a.pdf", "-o", "new/deep/"])).toMatchObject({ code: 0 });
  expect(await shell.run(["pdf", "rotate", "a.pdf", "-o", "new"])).toMatchObject({ code: 0 });
  expect(await shell.run(["image", "photo.png", "-f", "webp", "-o", "new/"])).toMatchObject({ code: 0 });
  expect(await shell.run(["lock", "old.txt", "-o", "new/"], { env })).toMatchObject({ code: 0 });
  const made = ["a-rotated.pdf", "deep", "old.txt.locked", "photo.webp"];
  expect(readdirSync(shell.path("new")).toSorted()).toEqual(made);
  expect(await shell.run(["pdf", "rotate", "a.pdf", "-o", "new"])).toMatchObject({ code: 2 });
  const unlocking = ["unlock", "new/old.txt.locked", "-o", "open/"];
  const wrong = { env: { ...env, HUSHKIT_PASSWORD: "another" } };
  expect(await shell.run(unlocking, wrong)).toMatchObject({ code: 4 });
  expect(existsSync(shell.path("open"))).toBe(false);
  expect(await shell.run(unlocking, { env })).toMatchObject({ code: 0 });
  expect(shell.read("open/old.txt")).toEqual(shell.read("old.txt"));
  expect(await shell.run(["lock", "-", "-o", "other/"], { env, stdin: "x" })).toMatchObject({
    code: 2,
    err: "hushkit: other/: this is a folder.\n",
  });
  expect(await shell.run(["pdf", "rotate", "a.pdf", "-o", "a.pdf/"])).toMatchObject({ code: 2 });
  expect(await shell.run(["pdf", "rotate", "a.pdf", "-o", "/proc/none/deep/"])).toMatchObject({
    code: 2,
    err: "hushkit: /proc/none/deep/: there is no such folder.\n",
  });
});

test("writes to standard output and to a device, but no bytes to a terminal", async () => {
  const shell = await fill(openShell());
  const piped = await shell.run(["pdf", "rotate", "-", "--angle", "180"], { stdin: shell.read("a.pdf") });
  expect(piped.bytes.subarray(0, 5).toString()).toBe("%PDF-");
  expect(await shell.run(["pdf", "rotate", "a.pdf", "-o", "/dev/null"])).toMatchObject({ code: 0 });
  const shown = await shell.run(["pdf", "rotate", "a.pdf", "-o", "-"], { isTerminal: true });
  expect(shown).toMatchObject({ code: 2, out: "", err: expect.stringContaining("-o FILE") });
});

testIf(existsSync("/dev/fd/0"), "elsewhere descriptors have no path").each([
  ["pdf", "rotate", "a.pdf", "--angle", "90"],
  ["image", "photo.png", "-f", "webp"],
  ["image", "photo.png", "--strip"],
  ["lock", "old.txt"],
])("calls no result after what comes from a descriptor: %s %s %s", async (...args) => {
  const shell = await fill(openShell());
  const fromDescriptor = args.map((arg) => (arg.includes(".") ? pathOfDescriptor(shell.path(arg)) : arg));
  const before = readdirSync(shell.folder);
  const env = { HUSHKIT_PASSWORD: "pässwörd" };
  const { code, bytes } = await shell.run(fromDescriptor, { env });
  expect([code, readdirSync(shell.folder)]).toEqual([0, before]);
  if (args[0] !== "lock") return;
  shell.put("x.locked", bytes);
  // The container holds no name either.
  const unlocked = await shell.run(["unlock", "x.locked", "--json"], { env });
  expect(JSON.parse(unlocked.out)).toMatchObject({ name: "unlocked.bin" });
});

function pathOfDescriptor(path: string): string {
  const descriptor = openSync(path, "r");
  onTestFinished(() => closeSync(descriptor));
  return `/dev/fd/${descriptor}`;
}

test("opens a file that it replaces to nobody else", async () => {
  const shell = await fill(openShell());
  chmodSync(shell.path("b.pdf"), 0o600);
  const rotate = ["pdf", "rotate", "a.pdf", "--angle", "90", "-o", "b.pdf", "--force"];
  expect(await shell.run(rotate)).toMatchObject({ code: 0 });
  expect(statSync(shell.path("b.pdf")).mode & 0o777).toBe(0o600);
});

test("writes a file whose name has as many bytes as a disk takes", async () => {
  const shell = await fill(openShell());
  const name = `${"漢".repeat(83)}.pdf`;
  expect(await shell.run(["pdf", "rotate", "a.pdf", "--angle", "90", "-o", name])).toMatchObject({ code: 0 });
  expect(shell.read(name).subarray(0, 5).toString()).toBe("%PDF-");
});

test("names no image of standard input in a folder", async () => {
  const shell = await fill(openShell());
  const stdin = shell.read("photo.png");
  expect(await shell.run(["image", "-", "photo.png", "-f", "webp", "-o", "made/"], { stdin })).toMatchObject({
    code: 2,
    err: "hushkit: made/: this is a folder.\n",
  });
  expect(existsSync(shell.path("made"))).toBe(false);
});

test("says how it went to a person only", async () => {
  const shell = await fill(openShell());
  const shown = await shell.run(["pdf", "rotate", "a.pdf", "-o", "x.pdf"], { isTerminal: true });
  expect(shown).toMatchObject({ code: 0, out: "", err: expect.stringMatching(/^x\.pdf: [\d,]+ bytes\n$/) });
  expect(await shell.run(["pdf", "rotate", "a.pdf", "-o", "y.pdf"])).toMatchObject({ out: "", err: "" });
});

test("takes a file whose name has a colon for that file", async () => {
  const shell = await fill(openShell());
  shell.put("c.pdf:1", await makeBlankPdf([401, 402]));
  const merged = await shell.run(["pdf", "merge", "c.pdf:1", "a.pdf:1", "-o", "x.pdf", "--json"]);
  expect(JSON.parse(merged.out)).toMatchObject({ pages: 3, files: [{ taken: 2 }, { taken: 1 }] });
});

test("takes every second page of a file", async () => {
  const shell = await fill(openShell());
  shell.put("c.pdf", await makeBlankPdf([401, 402, 403]));
  shell.put("d:e.pdf", await makeBlankPdf([404, 405, 406]));
  const operands = ["c.pdf:1-z:even", "c.pdf:1-z:Odd", "d:e.pdf:r2-z:odd", "c.pdf:x"];
  const merged = await shell.run(["pdf", "merge", ...operands.slice(0, 3), "-o", "x.pdf", "--json"]);
  expect(JSON.parse(merged.out)).toMatchObject({ files: [{ taken: 1 }, { taken: 2 }, { taken: 1 }] });
  expect((await shell.run(["pdf", "merge", ...operands, "-o", "y.pdf"])).code).toBe(2);
  shell.put("empty.pdf", "");
  const { err } = await shell.run(["pdf", "merge", "c.pdf", "empty.pdf", "-o", "y.pdf"]);
  expect(err).toMatch(/^hushkit: empty\.pdf: The file is empty; /);
});

test("asks for the password of each document that needs one", async () => {
  const shell = await fill(openShell());
  const args = ["pdf", "merge", "a.pdf", "locked.pdf", "b.pdf", "locked.pdf", "-o", "x.pdf", "--json"];
  const merged = await shell.run(args, { answers: ["geheim", "geheim"] });
  expect(JSON.parse(merged.out)).toMatchObject({ pages: 7 });
  const forced = [...args, "--force", "--password-fd", "3"];
  expect(await shell.run(forced, { fd3: "geheim\n" })).toMatchObject({ code: 0 });
  expect(await shell.run(forced, { fd3: "falsch" })).toMatchObject({ code: 4 });
});

test("converts several images, each to a file of its own", async () => {
  const shell = await fill(openShell());
  shell.put("second.png", shell.read("photo.png"));
  const args = ["image", "photo.png", "second.png", "-f", "avif"];
  expect(await shell.run(args)).toMatchObject({ code: 0 });
  expect(readdirSync(shell.folder)).toEqual(expect.arrayContaining(["photo.avif", "second.avif"]));
  expect(await shell.run([...args, "-o", "both.avif"])).toMatchObject({ code: 2 });
  const twice = ["image", "photo.png", "photo.png", "-f", "webp", "--force"];
  expect(await shell.run(twice)).toMatchObject({ code: 2 });
  mkdirSync(shell.path("out"));
  expect(await shell.run([...args, "-o", "out"])).toMatchObject({ code: 0 });
  expect(readdirSync(shell.path("out")).sort()).toEqual(["photo.avif", "second.avif"]);
  shell.put("notes.txt", "no image");
  const all = ["image", "notes.txt", "photo.png", "-f", "png", "-o", "out"];
  const { code, err } = await shell.run(all);
  expect([code, err]).toEqual([2, expect.stringMatching(/^hushkit: notes\.txt: [^\n]+\n$/)]);
  expect(readdirSync(shell.path("out"))).toContain("photo.png");
});

test("shows differences by line and by word, in colours on a terminal only", async () => {
  const shell = await fill(openShell());
  const lines = ["1 1   one", "2   - two", "3   - three", "  2 + 2", "  3 + three"];
  const plain = await shell.run(["diff", "old.txt", "new.txt"]);
  expect(plain.out).toBe(`${lines.join("\n")}\n(only the first text ends with a line break)\n`);
  expect((await shell.run(["diff", "old.txt", "new.txt", "--words"])).out).toContain(
    "one\n[-two-]{+2+}\nthree[-\n-]",
  );
  const shown = await shell.run(["diff", "old.txt", "new.txt"], { isTerminal: true });
  expect(shown.out).toContain("\x1b[31m- two\x1b[0m");
  const diff = (isTerminal: boolean, env: Record<string, string>) =>
    shell.run(["diff", "old.txt", "new.txt"], { isTerminal, env });
  expect((await diff(true, { NO_COLOR: "1" })).out).toBe(plain.out);
  expect((await diff(true, { FORCE_COLOR: "0" })).out).toBe(plain.out);
  expect((await diff(false, { FORCE_COLOR: "" })).out).toBe(plain.out);
  expect((await diff(false, { FORCE_COLOR: "1", NO_COLOR: "1", TERM: "dumb" })).out).toBe(shown.out);
});

test("ignores white space as GNU diff does: -b its amount, -w all of it", async () => {
  const shell = openShell();
  for (const [name, text] of Object.entries({ a: "a b\n", more: "a  b\n", none: "ab\n" }))
    shell.put(name, text);
  const codes = async (...flags: string[]) => [
    (await shell.run(["diff", "a", "more", ...flags])).code,
    (await shell.run(["diff", "a", "none", ...flags])).code,
  ];
  expect(await codes()).toEqual([1, 1]);
  expect(await codes("-b")).toEqual([0, 1]);
  for (const flags of [["-w"], ["-b", "-w"], ["-w", "--words"]])
    expect(await codes(...flags)).toEqual([0, 0]);
});

testWith("git")("writes a patch that git applies", async () => {
  const shell = await fill(openShell());
  const { bytes } = await shell.run(["diff", "old.txt", "new.txt", "-u"]);
  const headers = bytes.toString().split("\n").slice(0, 2);
  expect(headers).toEqual(["--- a/old.txt", "+++ b/new.txt"]);
  shell.put("new.txt", OLD);
  execFileSync("git", ["apply", "-"], { cwd: shell.folder, input: bytes });
  expect(shell.read("new.txt").toString()).toBe(NEW);
});

testWith("sha256sum")("prints checksums that sha256sum checks, and checks those that it prints", async () => {
  const shell = await fill(openShell());
  shell.put("new\\\n.txt", "odd name");
  shell.put("Usage.txt", "a name that begins with a mode of shasum");
  const ours = await shell.run(["hash", "old.txt", "new.txt"]);
  const options = { cwd: shell.folder, encoding: "utf8" } as const;
  expect(execFileSync("sha256sum", ["-c", "-"], { ...options, input: ours.out })).toBe(
    "old.txt: OK\nnew.txt: OK\n",
  );
  shell.put("SUMS", execFileSync("sha256sum", ["old.txt", "new\\\n.txt", "Usage.txt"], options));
  shell.put("BSD", execFileSync("sha256sum", ["--tag", "old.txt", "new\\\n.txt", "Usage.txt"], options));
  for (const list of ["SUMS", "BSD"]) {
    expect(await shell.run(["hash", "-c", list])).toMatchObject({
      code: 0,
      out: "old.txt: OK\n\\new\\\\\\n.txt: OK\nUsage.txt: OK\n",
    });
  }
  expect(await shell.run(["hash", "new.txt", "-c", "SUMS"])).toMatchObject({
    code: 1,
    out: "new.txt: NOT LISTED\n",
  });
  shell.put("old.txt", "changed");
  expect(await shell.run(["hash", "old.txt", "-c", "SUMS"])).toMatchObject({
    code: 1,
    out: "old.txt: FAILED\n",
  });
});

testWith("sha256sum")("writes and reads every name as sha256sum does", async () => {
  const shell = openShell();
  const names = ["a\nb", "c\\d", "e\rf", "g\\\n\r", " h ", "*i", "😀", "j) = k"];
  for (const name of names) shell.put(name, name);
  const options = { cwd: shell.folder, encoding: "utf8" } as const;
  for (const form of [[], ["--tag"], ["--zero"]]) {
    const theirs = execFileSync("sha256sum", [...form, ...names], options);
    expect(await shell.run(["hash", ...form, ...names])).toMatchObject({ code: 0, out: theirs });
    if (form[0] !== "--zero")
      execFileSync("sha256sum", ["--check", "--strict"], { ...options, input: theirs });
    shell.put("LIST", theirs);
    expect(await shell.run(["hash", "-c", "LIST", "--strict", "--quiet"])).toMatchObject({
      code: 0,
      out: "",
    });
  }
});

test("tries every algorithm of a digest's length", async () => {
  const shell = await fill(openShell());
  for (const algorithm of ["md5", "sha1", "sha384", "sha512", "blake3"]) {
    shell.put("LIST", (await shell.run(["hash", "old.txt", "-a", algorithm])).out);
    expect(await shell.run(["hash", "-c", "LIST"])).toMatchObject({ code: 0, out: "old.txt: OK\n" });
  }
  expect(await shell.run(["hash", "-c", "LIST", "-a", "sha256"])).toMatchObject({ code: 1 });
});

testWith("sha256sum")("ends, prints and warns as sha256sum does for each option", async () => {
  const shell = await fill(openShell());
  const { out } = await shell.run(["hash", "old.txt"]);
  shell.put("GOOD", `# comment\n\nno checksum\n${out}`);
  shell.put("BAD", `${out}${"0".repeat(64)}  new.txt\n${"0".repeat(64)}  none.txt\n`);
  shell.put("GONE", `${"0".repeat(64)}  none.txt\n`);
  for (const list of ["GOOD", "BAD", "GONE"]) {
    for (const option of ["--warn", "--quiet", "--status", "--strict", "--ignore-missing"]) {
      const theirs = spawnSync("sha256sum", ["-c", list, option], { cwd: shell.folder, encoding: "utf8" });
      const ours = await shell.run(["hash", "-c", list, ...(option === "--warn" ? [] : [option])]);
      expect([list, option, ours.code, ours.out]).toEqual([list, option, theirs.status, theirs.stdout]);
      expect(warningsOf(ours.err)).toEqual(warningsOf(theirs.stderr));
    }
  }
});

function warningsOf(text: string): string[] {
  return text.match(/WARNING: .*/g) ?? [];
}

test("refuses the options of a check without a list, and those of a list in a check", async () => {
  const shell = await fill(openShell());
  expect(await shell.run(["hash", "old.txt", "--quiet"])).toMatchObject({ code: 2 });
  expect(await shell.run(["hash", "-c", "old.txt", "--tag"])).toMatchObject({ code: 2 });
});

test("gives a script the reason why a listed file was not read", async () => {
  const shell = await fill(openShell(service));
  shell.put("LIST", `${"0".repeat(64)}  away.txt\n`);
  const { code, out } = await shell.run(["hash", "-c", "LIST", "--json"]);
  expect([code, JSON.parse(out)]).toEqual([
    1,
    { name: "away.txt", matches: false, reason: expect.stringContaining("away.txt") },
  ]);
});

test("names each file in the JSON of checksums", async () => {
  const shell = await fill(openShell());
  const { out } = await shell.run(["hash", "old.txt", "new.txt", "--json"]);
  const [first, second] = JSON.parse(`[${out.replace("}\n{", "},{")}]`) as { name: string; size: number }[];
  expect([first, second]).toMatchObject([
    { name: "old.txt", size: OLD.length },
    { name: "new.txt", size: NEW.length },
  ]);
});

test("generates passwords", async () => {
  const shell = openShell();
  expect((await shell.run(["password"])).out).toMatch(/^[0-9A-Za-z]{20}\n$/);
  // Four words of the list have a hyphen themselves.
  expect((await shell.run(["password", "--words", "7"])).out).toMatch(/^([a-z]+-){6,}[a-z]+\n$/);
  expect((await shell.run(["password", "--words", "--list", "german", "--separator", "."])).out).toMatch(
    /^([a-z]+\.){4}[a-z]+\n$/,
  );
  expect((await shell.run(["password", "--pattern", "d{6}"])).out).toMatch(/^[0-9]{6}\n$/);
  expect((await shell.run(["password", "--capitalize"])).err).toBe(
    "hushkit: warning: These options do nothing here: capitalize\n",
  );
  expect((await shell.run(["password", "--min-entropy", "100"])).out).toMatch(/^[0-9A-Za-z]{17}\n$/);
  const plain = ["password", "--length", "40", "--no-digits", "--no-uppercase", "--count", "2"];
  expect((await shell.run(plain)).out).toMatch(/^[a-z]{40}\n[a-z]{40}\n$/);
  expect(JSON.parse((await shell.run(["password", "--json"])).out)).toMatchObject({ length: 20, count: 1 });
});

const hasByteNames = process.platform === "linux" && !process.versions.deno;

testIf(hasByteNames, "elsewhere names are not bytes, and Deno 2.9 writes no such name")(
  "says that a name is not UTF-8, where it can read no such file",
  async () => {
    const shell = openShell();
    writeFileSync(Buffer.concat([Buffer.from(shell.path("caf")), Buffer.of(0xe9)]), "x");
    const told = await shell.run(["hash", "."]);
    expect(told).toMatchObject({ code: 2, out: "", err: expect.stringContaining("its name is not UTF-8") });
    expect((await shell.run(["hash", "missing.txt"])).err).toContain("there is no such file");
  },
);
