import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { whyDangerous } from "../../cli/files/given-name.ts";
import { withServer } from "../support/with-server.ts";
import { openShell } from "./support/terminal.ts";

const service = withServer();
const env = { HUSHKIT_PASSWORD: "pässwörd" };
const CONTENT = "echo hello\n";

/** A folder with nothing in it but `x.locked` or `x.age`, in which a file of this name is. */
async function receive(name: string, ...how: string[]) {
  const sender = openShell();
  sender.put(name, CONTENT);
  expect((await sender.run(["lock", name, "-o", "x", ...how], { env })).code).toBe(0);
  const shell = openShell(service);
  const file = how.length > 0 ? `${name}.age` : "x.locked";
  shell.put(file, sender.read("x"));
  return { shell, file, list: () => readdirSync(shell.folder).filter((each) => each !== file) };
}

test.each([
  [".bashrc"],
  [".ssh/authorized_keys"],
  ["sub/.git/config"],
  ["setup.EXE"],
  ["report.pdf.exe"],
  ["run.command"],
  ["update.desktop"],
  ["a.sh"],
  ["Autorun.inf"],
  ["desktop.ini"],
  ["gpj.\u202eexe.txt"],
  ["a.exe."],
  ["a.exe "],
  ["a.txt:b.exe"],
  ["a.e\u200bxe"],
  ["con.txt"],
])("finds %j dangerous", async (name) => {
  expect(await whyDangerous(name)).toEqual(expect.any(String));
});

test.each([
  "report.pdf",
  "exe",
  "Makefile",
  "a.exe.bin",
  "sub/a.txt",
  "re\u0301sume\u0301.txt",
  "👩‍💻 keys.txt",
  "v1.2",
  "-",
])("finds nothing wrong with %j", async (name) => expect(await whyDangerous(name)).toBe(undefined));

test.each([
  [".bashrc", "begins with a dot", []],
  ["setup.exe", "run or obey", []],
  ["setup.exe", "run or obey", ["--server"]],
  ["setup.sh", "run or obey", ["-o", "new/"]],
])("writes %j of a locked file nowhere where nobody can be asked", async (name, reason, args) => {
  const { shell, file, list } = await receive(name);
  const refused = await shell.run(["unlock", file, ...args], { env });
  expect(refused).toMatchObject({ code: 2, out: "", err: expect.stringContaining(reason) });
  expect(refused.err).toContain(name);
  expect(refused.err).toMatch(/--output FILE.*--any-name/);
  expect(list()).toEqual([]);
  expect((await shell.run(["unlock", file, "-o", "safe.txt"], { env })).code).toBe(0);
  expect((await shell.run(["unlock", file, "--any-name"], { env })).code).toBe(0);
  expect([name, "safe.txt"].map((each) => String(shell.read(each)))).toEqual([CONTENT, CONTENT]);
});

test("replaces no dangerous file by --force alone", async () => {
  const { shell, file } = await receive(".bashrc");
  shell.put(".bashrc", "mine");
  expect(await shell.run(["unlock", file, "--force"], { env })).toMatchObject({ code: 2 });
  expect(String(shell.read(".bashrc"))).toBe("mine");
});

test("asks a person before a dangerous name, and takes anything but yes for no", async () => {
  const { shell, file, list } = await receive("setup.exe");
  for (const answer of ["", "n", "yesterday", "no"]) {
    const asked = await shell.run(["unlock", file], { env, answers: [answer] });
    expect(asked).toMatchObject({ code: 2, err: expect.stringContaining("Nothing was written") });
    expect(list()).toEqual([]);
  }
  for (const answer of ["y", "Y", "yes"]) {
    expect(await shell.run(["unlock", file, "--force"], { env, answers: [answer] })).toMatchObject({
      code: 0,
    });
    expect(list()).toEqual(["setup.exe"]);
  }
});

test("asks also about the name of an age file, which came with it", async () => {
  const { shell, file, list } = await receive("setup.exe", "--age");
  expect(await shell.run(["unlock", file], { env })).toMatchObject({ code: 2 });
  expect(list()).toEqual([]);
});

test("says which name it writes, to a person", async () => {
  const { shell, file } = await receive("tax.pdf");
  const shown = await shell.run(["unlock", file], { env, isTerminal: true });
  expect(shown).toMatchObject({
    code: 0,
    out: "",
    err: expect.stringMatching(/^Writing tax\.pdf\ntax\.pdf: /),
  });
  expect(await shell.run(["unlock", file, "--force"], { env })).toMatchObject({ code: 0, err: "" });
});

async function send(names: readonly string[]): Promise<string> {
  const sender = openShell(service);
  for (const name of names) sender.put(name, `${name} ${CONTENT}`);
  return (await sender.run(["send", ...names])).out.trim();
}

/** What was sent under this name is in this file. */
const holds = (folder: string, file: string) => readFileSync(join(folder, file), "utf8").split(" ")[0];

test("loses no secret for its dangerous name: it gets .bin behind it, and that is told", async () => {
  const shell = openShell(service);
  const opened = await shell.run(["open", await send(["setup.exe"])], { isTerminal: true });
  expect(opened).toMatchObject({ code: 0, err: expect.stringMatching(/^Writing setup\.exe\.bin\n/) });
  expect(opened.err).toContain("warning: some systems run or obey a file called setup.exe");
  expect(readdirSync(shell.folder)).toEqual(["setup.exe.bin"]);
  const json = await shell.run(["open", await send(["setup.exe"]), "--json"]);
  expect(JSON.parse(json.out)).toMatchObject({ name: "setup.exe", path: "setup.exe-1.bin" });
  expect(await shell.run(["open", await send(["setup.exe"]), "--any-name"])).toMatchObject({
    code: 0,
    err: "",
  });
  expect(await shell.run(["open", await send(["setup.exe"]), "-o", "a.sh"])).toMatchObject({
    code: 0,
    err: "",
  });
  expect(readdirSync(shell.folder).toSorted()).toEqual([
    "a.sh",
    "setup.exe",
    "setup.exe-1.bin",
    "setup.exe.bin",
  ]);
});

test("gives no dangerous name to any of several files, and loses none of them", async () => {
  const names = ["a.exe", "a.exe.bin", "b.txt"];
  const shell = openShell(service);
  const opened = await shell.run(["open", await send(names), "-o", "new/"]);
  expect(opened).toMatchObject({ code: 0, err: expect.stringContaining("a file called a.exe, so") });
  const folder = shell.path("new");
  expect(readdirSync(folder).toSorted()).toEqual(["a.exe-2.bin", "a.exe.bin", "b.txt"].toSorted());
  expect(["a.exe.bin", "a.exe-2.bin", "b.txt"].map((file) => holds(folder, file))).toEqual(names);
  await shell.run(["open", await send(names), "-o", "any", "--any-name"]);
  expect(readdirSync(shell.path("any")).toSorted()).toEqual(names);
});
