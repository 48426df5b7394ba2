// process
import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { placeOf, testWith } from "../machine/skips.ts";
import { withServer } from "../support/with-server.ts";
import { openShell, type Shell } from "./support/terminal.ts";

const service = withServer();
const CONTENT = "for your eyes only\n".repeat(10_000);

interface Person {
  readonly file: string;
  readonly recipient: string;
}

async function person(shell: Shell, name: string): Promise<Person> {
  const file = `${name}.txt`;
  const made = await shell.run(["keygen", "-o", file]);
  expect(made).toMatchObject({ code: 0, err: "" });
  return { file, recipient: made.out.trim() };
}

test("makes an identity file for its owner alone, and shows it on a terminal", async () => {
  const shell = openShell();
  const { file, recipient } = await person(shell, "me");
  expect(recipient).toMatch(/^age1[0-9a-z]{58}$/);
  expect(statSync(shell.path(file)).mode & 0o777).toBe(0o600);
  expect(shell.read(file).toString()).toMatch(/^# public key: age1\S+\nAGE-SECRET-KEY-1[0-9A-Z]{58}\n$/);
  expect(await shell.run(["keygen", "-o", file])).toMatchObject({ code: 2 });
  const shown = await shell.run(["keygen"], { isTerminal: true });
  expect(shown.out).toContain("AGE-SECRET-KEY-1");
  expect(JSON.parse((await shell.run(["keygen", "--json"])).out)).toMatchObject({
    recipient: expect.any(String),
  });
});

describe.each([["here"], ["on the server", "--server"]])("%s", (_, ...place) => {
  test("a file is locked for several people, and each opens it", async () => {
    const shell = openShell(service);
    const [me, you] = [await person(shell, "me"), await person(shell, "you")];
    shell.put("old.txt", CONTENT);
    shell.put("list.txt", `# friends\n${you.recipient}\n`);
    const locked = await shell.run(["lock", "-r", me.recipient, "-R", "list.txt", "old.txt", ...place]);
    expect(locked).toMatchObject({ code: 0, out: "" });
    for (const { file } of [me, you]) {
      const opened = await shell.run(["unlock", "-i", file, "old.txt.age", "-o", "-", ...place]);
      expect(opened).toMatchObject({ code: 0, out: CONTENT });
    }
    expect(await shell.run(["unlock", "-i", me.file, "old.txt.age", ...place])).toMatchObject({ code: 2 });
  });

  test("an armored file with a passphrase goes through pipes", async () => {
    const shell = openShell(service);
    const env = { HUSHKIT_PASSWORD: "correct horse" };
    const locked = await shell.run(["lock", "--age", "-a", "-", ...place], {
      env,
      stdin: CONTENT,
      isTerminal: true,
    });
    expect(locked.out).toMatch(/^-----BEGIN AGE ENCRYPTED FILE-----\n/);
    expect(await shell.run(["unlock", "-", ...place], { env, stdin: locked.out })).toMatchObject({
      code: 0,
      out: CONTENT,
    });
    const wrong = { HUSHKIT_PASSWORD: "wrong horse" };
    const refused = await shell.run(["unlock", "-", ...place], { env: wrong, stdin: locked.out });
    expect(refused).toMatchObject({ code: 4, out: "" });
  });
});

test("asks for no password where an identity opens the file, and says what is missing", async () => {
  const shell = openShell();
  const [me, you] = [await person(shell, "me"), await person(shell, "you")];
  shell.put("old.txt", CONTENT);
  await shell.run(["lock", "-r", me.recipient, "old.txt"]);
  const missing = await shell.run(["unlock", "old.txt.age"], { env: { HUSHKIT_PASSWORD: "x" } });
  expect(missing).toMatchObject({ code: 4, err: expect.stringContaining("--identity") });
  expect((await shell.run(["unlock", "-i", you.file, "old.txt.age", "-o", "x"])).code).toBe(4);
  expect(await shell.run(["unlock", "-i", you.file, "-i", me.file, "old.txt.age", "-o", "x"])).toMatchObject({
    code: 0,
  });
});

test("leaves nothing of an age file that was cut", async () => {
  const shell = openShell();
  const me = await person(shell, "me");
  shell.put("old.txt", CONTENT);
  await shell.run(["lock", "-r", me.recipient, "old.txt"]);
  shell.put("cut.txt.age", shell.read("old.txt.age").subarray(0, 100_000));
  expect((await shell.run(["unlock", "-i", me.file, "cut.txt.age"])).code).toBe(2);
  expect(() => shell.read("cut.txt")).toThrow("ENOENT");
  expect(await shell.run(["unlock", "-i", me.file, "cut.txt.age", "-o", "-"])).toMatchObject({
    code: 2,
    out: "",
  });
});

test.each([
  [["lock", "-a", "old.txt"], "--age"],
  [["lock", "--age", "--key-file", "old.txt", "old.txt"], "--key-file"],
  [["lock", "-r", "AGE-SECRET-KEY-1X", "old.txt"], "secret identity"],
  [["unlock", "-i", "AGE-SECRET-KEY-1X", "old.txt.age"], "secret identity is not taken as an argument"],
  [["lock", "-r", "age1x", "old.txt"], "--recipient"],
  [["lock", "-R", "old.txt", "old.txt"], 'Line 1 of "old.txt"'],
  [["lock", "-R", "-", "-"], "standard input"],
  [["lock", "--key-file", "empty.key", "old.txt"], "empty"],
])("names the option that is wrong: %j", async (args, words) => {
  const shell = openShell();
  shell.put("old.txt", CONTENT);
  shell.put("empty.key", "");
  expect(await shell.run(args)).toMatchObject({ code: 2, err: expect.stringContaining(words) });
});

test("a key file opens what it has locked, beside a password or without one", async () => {
  const shell = openShell(service);
  shell.put("old.txt", CONTENT);
  shell.put("home.key", "any file at all");
  const withKey = ["--key-file", "home.key"];
  expect(await shell.run(["lock", ...withKey, "old.txt"])).toMatchObject({ code: 0, err: "" });
  expect(await shell.run(["unlock", ...withKey, "old.txt.locked", "-o", "-"])).toMatchObject({
    out: CONTENT,
  });
  // Its SHA-256 is the password, for everybody who has no such option (docs/formats.md, 4).
  const digest = "54cf94ef40a3fe1e2ccd5b715ddd21f386b302b5888cc18d9ea9cc676b0f775d";
  const asPassword = await shell.run(["unlock", "old.txt.locked", "-o", "-"], {
    env: { HUSHKIT_PASSWORD: digest },
  });
  expect(asPassword).toMatchObject({ code: 0, out: CONTENT });
  const typed = { answers: ["secret", "secret"] };
  expect((await shell.run(["lock", ...withKey, "-p", "old.txt", "--force"], typed)).code).toBe(0);
  expect((await shell.run(["unlock", ...withKey, "old.txt.locked", "-o", "-"])).code).toBe(4);
  const both = await shell.run(["unlock", ...withKey, "-p", "old.txt.locked", "-o", "-"], {
    answers: ["secret"],
  });
  expect(both).toMatchObject({ code: 0, out: CONTENT });
});

testWith("age")("what hushkit locks the age program opens, and the other way round", async () => {
  const shell = openShell();
  const me = await person(shell, "me");
  shell.put("old.txt", CONTENT);
  const age = (...args: string[]) => execFileSync(placeOf("age"), args, { cwd: shell.folder });
  for (const armor of [[], ["-a"]]) {
    await shell.run(["lock", "-r", me.recipient, ...armor, "old.txt", "--force"]);
    expect(age("-d", "-i", me.file, "old.txt.age").toString()).toBe(CONTENT);
    age("-r", me.recipient, ...armor, "-o", "theirs.age", "old.txt");
    expect(await shell.run(["unlock", "-i", me.file, "theirs.age", "-o", "-"])).toMatchObject({
      out: CONTENT,
    });
  }
  expect(readFileSync(shell.path("theirs.age"), "latin1")).toContain("BEGIN AGE");
});
