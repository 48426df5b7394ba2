import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testWith } from "../machine/skips.ts";
import { openShell } from "./support/terminal.ts";

function fill() {
  const shell = openShell();
  for (const folder of ["photos", "photos/2025", "photos/é"]) mkdirSync(join(shell.folder, folder));
  for (const name of ["b", "a b", "2025/z", "2025/a", "é/𝄞", "é/ﬀ", "2025\nx"])
    shell.put(`photos/${name}`, name);
  symlinkSync("b", join(shell.folder, "photos/link"));
  return shell;
}

testWith("sha256sum")("lists a folder as sha256sum lists what find has found, sorted", async () => {
  const shell = fill();
  const { code, out, err } = await shell.run(["hash", "photos"]);
  const command = "find photos -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum";
  expect(out).toBe(execFileSync("sh", ["-c", command], { cwd: shell.folder, encoding: "utf8" }));
  expect({ code, err }).toEqual({
    code: 0,
    err: "hushkit: warning: photos/link: a link or no file, left out\n",
  });
});

test("checks a folder with the list that it made, and names what is new", async () => {
  const shell = fill();
  shell.put("photos/LIST", "");
  shell.put("photos/LIST", (await shell.run(["hash", "./photos"])).out);
  expect(await shell.run(["hash", "photos", "-c", "photos/LIST", "--quiet"])).toMatchObject({
    code: 0,
    out: "",
    err: "",
  });
  shell.put("photos/new", "new");
  shell.put("photos/b", "changed");
  rmSync(join(shell.folder, "photos/2025/z"));
  const { code, out, err } = await shell.run(["hash", "photos/.", "-c", "photos/LIST", "--quiet"]);
  expect(code).toBe(1);
  expect(out).toBe("photos/2025/z: FAILED open or read\nphotos/b: FAILED\nphotos/new: NOT LISTED\n");
  expect(err).toContain("1 file is not on the list");
});

test("checks of a folder only what is listed there", async () => {
  const shell = fill();
  const { out } = await shell.run(["hash", "photos"]);
  shell.put("LIST", out);
  rmSync(join(shell.folder, "photos/b"));
  const part = await shell.run(["hash", "photos/2025", "-c", "LIST"]);
  expect(part).toMatchObject({ code: 0, out: "photos/2025/a: OK\nphotos/2025/z: OK\n" });
  expect(await shell.run(["hash", "photos/é", "b", "-c", "LIST", "--quiet"])).toMatchObject({ code: 1 });
});

test("says that a folder is empty by printing nothing", async () => {
  const shell = openShell();
  mkdirSync(join(shell.folder, "none"));
  expect(await shell.run(["hash", "none"])).toMatchObject({ code: 0, out: "" });
});

test("one file that cannot be read does not keep the others from being hashed", async () => {
  const shell = openShell();
  shell.put("a", "a");
  shell.put("b", "b");
  const { code, out, err } = await shell.run(["hash", "a", "none", "b"]);
  expect(out.match(/\S+$/gm)).toEqual(["a", "b"]);
  expect({ code, err }).toEqual({ code: 2, err: "hushkit: none: there is no such file.\n" });
});

test("one name that is not UTF-8 does not keep a list from being checked", async () => {
  const shell = openShell();
  shell.put("a", "a");
  const { out } = await shell.run(["hash", "a"]);
  shell.put(
    "SUMS",
    Buffer.concat([Buffer.from(out.replace("a\n", "caf")), Buffer.from([0xe9, 10]), Buffer.from(out)]),
  );
  const checked = await shell.run(["hash", "-c", "SUMS"]);
  expect(checked).toMatchObject({ code: 1, out: "caf\ufffd: FAILED open or read\na: OK\n" });
  expect(checked.err).toContain("its name is not UTF-8");
});
