import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";
import { expect, onTestFinished, test, vi } from "vitest";
import { collectBytes } from "../../tools/crypto/chunks.ts";
import { type ZipEntry, zipFiles } from "../../tools/zip/zip.ts";
import { utf8 } from "../../wire/bytes.ts";
import { testWith } from "../machine/skips.ts";
import { makeTempFolder } from "../support/temp-folder.ts";

const entry = (name: string, ...pieces: string[]): ZipEntry => ({
  name,
  source: pieces.map((one) => utf8(one)),
});

function zip(entries: ZipEntry[]) {
  return collectBytes(zipFiles(entries));
}

test("a ZIP holds the files with their names", async () => {
  const files = unzipSync(
    await zip([entry("a.txt", "one ", "two"), entry("naïve.txt", "ü"), entry("empty")]),
  );
  const texts = Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]);
  expect(texts).toEqual([
    ["a.txt", "one two"],
    ["naïve.txt", "ü"],
    ["empty", ""],
  ]);
});

test("equal names get a number, and none leads out of the folder", async () => {
  const names = ["a.txt", "A.TXT", "x/a.txt", "../../etc/passwd", "a"];
  const files = unzipSync(await zip(names.map((name) => entry(name, name))));
  expect(Object.keys(files)).toEqual(["a.txt", "A-2.TXT", "a-3.txt", "passwd", "a"]);
});

test("the same files give the same bytes", async () => {
  const make = () => zip([entry("a", "1"), entry("b", "2")]);
  expect(await make()).toEqual(await make());
});

testWith("python3")("another program opens it", async () => {
  const path = join(makeTempFolder(), "made.zip");
  writeFileSync(path, await zip([entry("a.txt", "x".repeat(100_000)), entry("ü.txt", "y")]));
  const code = "import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); print(z.testzip(), z.namelist())";
  const { stdout } = spawnSync("python3", ["-c", code, path], { env: { ...process.env, PYTHONUTF8: "1" } });
  expect(stdout.toString().trim()).toBe("None ['a.txt', 'ü.txt']");
});

test("the same files give the same bytes in every time zone", async () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  const zips = [];
  for (const zone of ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"]) {
    vi.stubEnv("TZ", zone);
    zips.push(await zip([entry("a.txt", "one")]));
  }
  expect(zips[1]).toEqual(zips[0]);
  expect(zips[2]).toEqual(zips[0]);
});
