import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { BUNDLE_TYPE } from "../../tools/bundle/bundle-format.ts";
import { makeSenderKeys } from "../../tools/crypto/end-to-end.ts";
import { sealFile } from "../../tools/crypto/file-seal.ts";
import { utf8, type Bytes } from "../../wire/bytes.ts";
import { testWith } from "../machine/skips.ts";
import { withServer } from "../support/with-server.ts";
import { collectPieces } from "../tools/support/pieces.ts";
import { openShell, type Shell, type Typed } from "./support/terminal.ts";

const service = withServer();
const LINK = /^http:\/\/hushkit\.test\/s\/[0-9A-Za-z]{16}#[0-9A-Za-z]{22}\.[0-9A-Za-z]{43}\n$/;
const MESSAGE = "Dear Ann,\nhere they are 🔑\n";

function put(shell: Shell, files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(shell.path(name)), { recursive: true });
    shell.put(name, content);
  }
}

async function send(args: readonly string[], files: Record<string, string>, typed?: Typed): Promise<string> {
  const shell = openShell(service);
  put(shell, files);
  const sent = await shell.run(["send", ...args], typed);
  expect(sent).toMatchObject({ code: 0, err: "", out: expect.stringMatching(LINK) });
  return sent.out.trim();
}

/** What another program has sealed and calls a bundle. */
async function sendAsBundle(data: Bytes): Promise<string> {
  const { inner, fileKey } = await makeSenderKeys({});
  const metadata = { name: "", type: BUNDLE_TYPE, size: data.length };
  const body = await collectPieces(sealFile(data, { fileKey, metadata }));
  const made = await service.request("/api/secrets/file?isEncrypted=true", { method: "POST", body });
  return `${((await made.json()) as { url: string }).url}.${inner}`;
}

const list = (shell: Shell, folder = "") => readdirSync(join(shell.folder, folder)).toSorted();

test("hands over a message and files by one link, and opens them once", async () => {
  const files = { "a.txt": "one", "sub/b.txt": "two", empty: "" };
  const link = await send([...Object.keys(files), "-m", "-"], files, { stdin: MESSAGE });
  const shell = openShell(service);
  expect(await shell.run(["open", link])).toEqual({
    ...{ code: 0, out: MESSAGE, err: "" },
    bytes: Buffer.from(MESSAGE),
  });
  expect(list(shell)).toEqual(["a.txt", "b.txt", "empty"]);
  expect(["a.txt", "b.txt", "empty"].map((name) => String(shell.read(name)))).toEqual(["one", "two", ""]);
  expect(statSync(shell.path("a.txt")).mode & 0o777).toBe(0o600);
  expect(await shell.run(["open", link])).toMatchObject({ code: 3, out: "" });
});

test("the server sees one file, and neither names nor type", async () => {
  const link = await send(["a.txt", "b.txt"], { "a.txt": "one", "b.txt": "two" });
  const rows = await service.db.query.selectFrom("secret").selectAll().execute();
  expect(rows.at(-1)).toMatchObject({ is_encrypted: 1 });
  expect(JSON.stringify(rows)).not.toContain("bundle");
  expect(await openShell(service).run(["status", link])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^active until .*, a file of \d+ bytes\n$/),
  });
});

test("calls the files of a folder after their path in it, and leaves out what is no file", async () => {
  const from = openShell(service);
  put(from, { "photos/a.jpg": "1", "photos/2026/a.jpg": "2", "photos/2026/b/.env": "3", "a.jpg": "4" });
  symlinkSync("/etc/passwd", from.path("photos/link"));
  const sent = await from.run(["send", "photos/", "a.jpg"]);
  expect(sent).toMatchObject({ code: 0, err: expect.stringContaining("photos/link: left out") });
  const shell = openShell(service);
  expect(await shell.run(["open", sent.out.trim()])).toMatchObject({ code: 0, out: "", err: "" });
  expect(list(shell)).toEqual(["2026-a.jpg", "2026-b-.env", "a-2.jpg", "a.jpg"]);
  expect(String(shell.read("a-2.jpg"))).toBe("4");
});

test("makes the folder of -o, with or without a slash, and shows there is nothing before all is there", async () => {
  const files = { "a.txt": "one", "b.txt": "two" };
  for (const output of ["new", "deep/new/", "there"]) {
    const shell = openShell(service);
    mkdirSync(shell.path("there"));
    const link = await send(Object.keys(files), files);
    expect(await shell.run(["open", link, "-o", output])).toMatchObject({ code: 0, out: "", err: "" });
    expect(list(shell, output)).toEqual(["a.txt", "b.txt"]);
    expect(list(shell).filter((name) => name.endsWith(".part"))).toEqual([]);
  }
});

test("puts one file into the folder of -o too, and no text", async () => {
  const shell = openShell(service);
  const link = await send(["a.txt"], { "a.txt": "one" });
  expect(await shell.run(["open", link, "-o", "in/here/"])).toMatchObject({ code: 0 });
  expect(String(shell.read("in/here/a.txt"))).toBe("one");
  const text = (await shell.run(["send"], { stdin: "text" })).out.trim();
  expect(await shell.run(["open", text, "-o", "other/"])).toMatchObject({
    code: 2,
    err: "hushkit: other/: this is a folder.\n",
  });
  expect(await shell.run(["open", text])).toMatchObject({ code: 0, out: "text" });
});

test("overwrites nothing without --force, and gives another name in place of losing a file", async () => {
  const files = { "a.txt": "one", "b.txt": "two" };
  const shell = openShell(service);
  shell.put("a.txt", "mine");
  const kept = await shell.run(["open", await send(Object.keys(files), files)]);
  expect(kept).toMatchObject({ code: 0, err: expect.stringContaining("this one is called a-1.txt") });
  expect(String(shell.read("a.txt"))).toBe("mine");
  const forced = await shell.run(["open", await send(Object.keys(files), files), "--force"]);
  expect(forced).toMatchObject({ code: 0, err: "" });
  expect(String(shell.read("a.txt"))).toBe("one");
  expect(list(shell)).toEqual(["a-1.txt", "a.txt", "b.txt"]);
});

test("writes the ZIP itself where there is room for one stream only", async () => {
  const files = { "a.txt": "one", "b.txt": "two" };
  const shell = openShell(service);
  const piped = await shell.run(["open", await send(Object.keys(files), files), "-o", "-"]);
  expect(piped).toMatchObject({ code: 0, err: expect.stringContaining("a ZIP of them") });
  expect(piped.bytes.subarray(0, 4).toString("latin1")).toBe("PK\x03\x04");
  shell.put("old.zip", "old");
  const link = await send(Object.keys(files), files);
  expect(await shell.run(["open", link, "-o", "old.zip"])).toMatchObject({ code: 2 });
  expect(await shell.run(["open", link, "-o", "old.zip", "--force"])).toMatchObject({ code: 0 });
  expect(shell.read("old.zip").equals(piped.bytes)).toBe(true);
});

test("leaves several files in their ZIP with --zip, by the name of -o or its own", async () => {
  const files = { "a.txt": "one", words: MESSAGE };
  const shell = openShell(service);
  const named = await shell.run([
    "open",
    await send(["a.txt", "-m", "words"], files),
    "--zip",
    "-o",
    "new.zip",
  ]);
  expect(named).toMatchObject({ code: 0, out: "", err: "" });
  const told = await shell.run(["open", await send(["a.txt", "-m", "words"], files), "--zip", "--json"]);
  expect(JSON.parse(told.out)).toMatchObject({ path: "secret.zip", type: BUNDLE_TYPE });
  expect(told.out).not.toContain("Dear Ann");
  expect(list(shell)).toEqual(["new.zip", "secret.zip"]);
  expect(shell.read("new.zip").equals(shell.read("secret.zip"))).toBe(true);
});

test("tells in JSON the message and what became of each file", async () => {
  const shell = openShell(service);
  const files = { "a.txt": "one", "b.txt": "two", words: MESSAGE };
  const link = await send(["a.txt", "b.txt", "-m", "words"], files);
  const opened = await shell.run(["open", link, "-o", "new", "--json"]);
  expect(JSON.parse(opened.out)).toEqual({
    id: expect.stringMatching(/^\w{16}$/),
    isEncrypted: true,
    message: MESSAGE,
    files: [
      { name: "a.txt", size: 3, path: "new/a.txt" },
      { name: "b.txt", size: 3, path: "new/b.txt" },
    ],
  });
});

test("saves as one file what it does not understand, and says why", async () => {
  const shell = openShell(service);
  const opened = await shell.run(["open", await sendAsBundle(utf8("no ZIP at all"))]);
  expect(opened).toMatchObject({ code: 0, out: "" });
  expect(opened.err).toMatch(/^hushkit: warning: This is no bundle: .*\. It is saved as one file\.\n$/);
  expect(list(shell)).toEqual(["secret.zip"]);
  expect(String(shell.read("secret.zip"))).toBe("no ZIP at all");
});

testWith("zip")("leaves none of the files of a ZIP that is compressed, and saves it", async () => {
  const from = openShell();
  put(from, { "a.txt": "one", "b.txt": "2".repeat(1000) });
  execFileSync("zip", ["-q", "made.zip", "a.txt", "b.txt"], { cwd: from.folder });
  const shell = openShell(service);
  const opened = await shell.run([
    "open",
    await sendAsBundle(new Uint8Array(from.read("made.zip"))),
    "-o",
    "new",
  ]);
  expect(opened).toMatchObject({ code: 0, err: expect.stringContaining("compressed by method 8") });
  expect(list(shell)).toEqual(["new"]);
  expect(shell.read("new").equals(from.read("made.zip"))).toBe(true);
});

test.each([
  [["none.txt", "a.txt"], 2, "none.txt: there is no such file"],
  [["-m", "a.txt"], 2, "--message goes beside files"],
  [["a.txt", "-m", "the words themselves"], 2, "takes the name of a file"],
  [["a.txt", "-m", "empty"], 2, "there is nothing in it"],
  [["a.txt", "-m", "latin1"], 2, "not UTF-8"],
  [["-", "-m", "-"], 2, 'can be "-"'],
  [["nothing/"], 2, "there is no file in it"],
  [["many"], 5, "These are 21 files; one link takes up to 20"],
  [["large", "a.txt"], 5, "takes up to 26214400"],
  [["a.txt", "--copies", "0"], 2, "whole number from 1 to 100"],
  [["a.txt", "--csv", "--json"], 2, "cannot be used with"],
])("refuses %j in a sentence, and makes no link", async (args, code, words) => {
  const shell = openShell(service);
  put(shell, { "a.txt": "one", empty: "" });
  for (let i = 0; i < 21; i++) put(shell, { [`many/${i}`]: "x" });
  mkdirSync(shell.path("nothing"));
  shell.put("latin1", Uint8Array.of(0xe4));
  if (args.includes("large")) shell.put("large", new Uint8Array(26_214_400));
  const refused = await shell.run(["send", ...args], { stdin: "text" });
  expect(refused).toMatchObject({ code, out: "", err: expect.stringContaining(words) });
  expect(refused.err).not.toContain("the words themselves");
});

test("leaves nothing where the secret cannot be had", async () => {
  const shell = openShell(service);
  const link = await send(["a.txt", "b.txt"], { "a.txt": "one", "b.txt": "two" });
  await openShell(service).run(["open", link]);
  const late = await shell.run(["open", link, "-o", "new/", "--ticket", "0".repeat(32)]);
  expect(late).toMatchObject({ code: 3, out: "" });
  expect(existsSync(shell.path("new"))).toBe(false);
});
