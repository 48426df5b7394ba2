import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { placeOf, testWith } from "../machine/skips.ts";
import { withServer } from "../support/with-server.ts";
import { openShell, type Shell } from "./support/terminal.ts";

const service = withServer();

/** The same text as different editors and shells write it. */
const WRITTEN = {
  "UTF-8": (text: string) => Buffer.from(text),
  "UTF-8 with a byte order mark": (text: string) => Buffer.from(`\ufeff${text}`),
  "UTF-16LE": (text: string) => Buffer.from(`\ufeff${text}`, "utf16le"),
  "UTF-16BE": (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16(),
  "UTF-8 with CRLF": (text: string) => Buffer.from(text.replaceAll("\n", "\r\n")),
  "UTF-16LE with CRLF": (text: string) => Buffer.from(`\ufeff${text.replaceAll("\n", "\r\n")}`, "utf16le"),
} satisfies Record<string, (text: string) => Buffer>;
const ENCODINGS = Object.entries(WRITTEN);
const LATIN1 = Buffer.from("é\n", "latin1");
const NO_MARK = Buffer.from("0 a\n", "utf16le");

function sum(content: string): string {
  return createHash("sha256").update(content).digest("hex");
}

/** A list that is wrong of its first file. */
const LIST = `${sum("other")}  ä.bin\n${sum("b")}  b.bin\n`;

function withFiles(): Shell {
  const shell = openShell(service);
  shell.put("ä.bin", "a");
  shell.put("b.bin", "b");
  return shell;
}

test.each(ENCODINGS)("checks every file of a list in %s", async (_, write) => {
  const shell = withFiles();
  shell.put("list", write(LIST));
  expect(await shell.run(["hash", "-c", "list"])).toEqual(
    expect.objectContaining({
      code: 1,
      out: "ä.bin: FAILED\nb.bin: OK\n",
      err: "hushkit: WARNING: 1 computed checksum did NOT match\n",
    }),
  );
});

test("checks every file of lists with byte order marks that were put together", async () => {
  const shell = withFiles();
  shell.put("list", Buffer.from(LIST.replace(/^/gm, "\ufeff")));
  expect((await shell.run(["hash", "-c", "list"])).out).toBe("ä.bin: FAILED\nb.bin: OK\n");
  const [expected = ""] = LIST.split("\n", 1);
  const hash = ["hash", "ä.bin", "--check", "list", "--server", "--json"];
  expect(JSON.parse((await shell.run(hash)).out)).toMatchObject({ name: "ä.bin", matches: false });
  expect(expected).toContain("ä.bin");
});

test("counts the lines of a list that name no file, as sha256sum does", async () => {
  const shell = withFiles();
  shell.put("list", `${sum("b")}  b.bin\n${sum("x")}\n`);
  const warning = "hushkit: WARNING: 1 line is improperly formatted\n";
  expect(await shell.run(["hash", "-c", "list"])).toMatchObject({
    code: 0,
    out: "b.bin: OK\n",
    err: warning,
  });
  expect(await shell.run(["hash", "-c", "list", "--strict"])).toMatchObject({ code: 1, err: warning });
});

test.each([
  ["Latin-1", LATIN1],
  ["UTF-16 without a mark", NO_MARK],
])("names the file of a list, of keys or a message that is in %s", async (_, bytes) => {
  const shell = withFiles();
  shell.put("given", bytes);
  const told = {
    code: 2,
    err: "hushkit: given: this is not UTF-8 text, nor UTF-16 with a byte order mark; save it as UTF-8.\n",
  };
  // In a list of files, a name alone may be something else.
  const asList = { code: 2, err: expect.stringMatching(/^hushkit: given: this /) as string };
  expect(await shell.run(["hash", "-c", "given"])).toMatchObject(asList);
  expect(await shell.run(["lock", "b.bin", "-R", "given"])).toMatchObject(told);
  expect(await shell.run(["send", "b.bin", "-m", "given"])).toMatchObject(told);
});

test.each(ENCODINGS)("takes keys and age files in %s, with text around the file", async (_, write) => {
  const shell = withFiles();
  expect((await shell.run(["keygen", "-o", "key"])).code).toBe(0);
  const key = shell.read("key").toString();
  const recipient = /age1\w+/.exec(key)?.[0] ?? "";
  shell.put("recipients", write(`# für alle\n${recipient}\n`));
  shell.put("key", write(key));
  expect(await shell.run(["lock", "ä.bin", "-R", "recipients", "--armor"])).toMatchObject({ code: 0 });
  const armor = shell.read("ä.bin.age").toString();
  for (const mail of [armor, `Grüße\n\n${armor}`, `Hello,\n\n  ${armor}\n-- \nMé\n`]) {
    shell.put("mail.txt", write(mail));
    const opened = await shell.run(["unlock", "mail.txt", "-i", "key", "-o", "-"]);
    expect(opened).toMatchObject({ code: 0, out: "a", err: "" });
  }
  const file = new Uint8Array(shell.read("mail.txt"));
  const input = { file, direction: "unlock", identities: key } as const;
  const { data } = await service.client().tools.fileEncrypt.mutate(input);
  expect(new TextDecoder().decode(data)).toBe("a");
});

test("opens no text with two age files, of which one would be lost", async () => {
  const shell = withFiles();
  await shell.run(["keygen", "-o", "key"]);
  const recipient = /age1\w+/.exec(shell.read("key").toString())?.[0] ?? "";
  await shell.run(["lock", "b.bin", "-r", recipient, "--armor"]);
  const armor = shell.read("b.bin.age").toString();
  shell.put("both", `${armor}\n${armor}`);
  const opened = await shell.run(["unlock", "both", "-i", "key", "-o", "-"]);
  expect(opened).toMatchObject({ code: 2, out: "", err: expect.stringContaining("begins a second armor") });
});

test.each([
  ["/dev/null", "b.txt", "--- /dev/null\n+++ b/b.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n"],
  ["b.txt", "/dev/null", "--- a/b.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n"],
  [
    "/dev/null",
    "folder",
    "diff --git a/c.txt b/c.txt\nnew file mode 100644\n--- /dev/null\n+++ b/c.txt\n@@ -0,0 +1,1 @@\n+c\n",
  ],
])("a patch from %s to %s creates or deletes files", async (a, b, patch) => {
  const shell = openShell(service);
  shell.put("b.txt", "one\ntwo\n");
  mkdirSync(shell.path("folder"));
  shell.put("folder/c.txt", "c\n");
  expect(await shell.run(["diff", "-u", a, b])).toMatchObject({ code: 1, out: patch, err: "" });
  if (b !== "folder") expect((await shell.run(["diff", "-u", a, b, "--server"])).out).toBe(patch);
});

testWith("git")("git creates the file of a patch from /dev/null, and deletes that of one to it", async () => {
  const shell = openShell();
  shell.put("b.txt", "one\ntwo\n");
  const [added, removed] = [
    await shell.run(["diff", "-u", "/dev/null", "b.txt"]),
    await shell.run(["diff", "-u", "b.txt", "/dev/null"]),
  ];
  const apply = (patch: string) => {
    execFileSync(placeOf("git"), ["apply", "-"], { cwd: shell.folder, input: patch });
  };
  apply(removed.out);
  expect(() => shell.read("b.txt")).toThrow("ENOENT");
  apply(added.out);
  expect(shell.read("b.txt").toString()).toBe("one\ntwo\n");
});

const LINE_FEED =
  "hushkit: warning: the line feed at the end of the text was sent too; --trim leaves it out\n";

async function opened(shell: Shell, link: string): Promise<string> {
  return (await shell.run(["open", link.trim()])).out;
}

test("send says that the line feed of echo is sent too, once, and --trim leaves it out", async () => {
  const shell = openShell(service);
  const sent = await shell.run(["send"], { stdin: "pw\n" });
  expect(sent).toMatchObject({ code: 0, err: LINE_FEED });
  expect(await opened(shell, sent.out)).toBe("pw\n");
  expect(await shell.run(["send", "--copies", "3"], { stdin: "pw\r\n" })).toMatchObject({ err: LINE_FEED });
  for (const stdin of ["pw\n", "pw\r\n", "pw"]) {
    const trimmed = await shell.run(["send", "--trim"], { stdin });
    expect(trimmed).toMatchObject({ code: 0, err: "" });
    expect(await opened(shell, trimmed.out)).toBe("pw");
  }
  for (const stdin of ["pw", "one\ntwo\n"])
    expect(await shell.run(["send"], { stdin })).toMatchObject({ code: 0, err: "" });
});

test("answer does so too", async () => {
  const shell = openShell(service);
  const answer = async (...options: string[]) => {
    const [give = "", keep = ""] = (await shell.run(["ask"])).out.split("\n");
    const { err } = await shell.run(["answer", give, ...options], { stdin: "pw\n" });
    return [err, (await shell.run(["collect", keep])).out];
  };
  expect(await answer()).toEqual([LINE_FEED, "pw\n"]);
  expect(await answer("--trim")).toEqual(["", "pw"]);
});

test("--trim is for texts of standard input only, of which a message can be one", async () => {
  const shell = withFiles();
  const told = { code: 2, err: expect.stringContaining("--trim is for a text from standard input") };
  expect(await shell.run(["send", "b.bin", "--trim"])).toMatchObject(told);
  expect(await shell.run(["send", "b.bin", "ä.bin", "--trim"])).toMatchObject(told);
  const sent = await shell.run(["send", "b.bin", "-m", "-", "--trim"], { stdin: "hello\n" });
  expect(await opened(shell, sent.out)).toBe("hello");
  expect(await shell.run(["send", "--trim"], { stdin: "\n" })).toMatchObject({ code: 2 });
});

test.each(["", "\n", "nonsense\n"])("a list without checksums is refused by its name: %j", async (text) => {
  const shell = withFiles();
  shell.put("list", text);
  for (const args of [
    ["b.bin", "-c", "list"],
    ["-c", "list"],
  ])
    expect(await shell.run(["hash", ...args])).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^hushkit: list: this is not a checksum; it takes /),
    });
});
