// slow
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { describeEach } from "../../machine/skips.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";

const PROBE = fileURLToPath(new URL("./probe/run-probe.ts", import.meta.url));
const NOTHING = {
  ...{ readFile: false, readDatabase: false, listFolder: false, writeFile: false },
  ...{ openSocket: false, startProgram: false, startThread: false, loadsSharp: false },
};
const ALL = Object.fromEntries(Object.keys(NOTHING).map((name) => [name, true]));

/** What a worker for documents could do, and one for images: the table of SECURITY.md. */
const COULD: Readonly<Record<string, readonly object[]>> = {
  // Node refuses the network from 25 on.
  node: [
    { ...NOTHING, openSocket: true },
    { ...NOTHING, openSocket: true, loadsSharp: true },
  ],
  // A thread there has the permissions of its process.
  deno: [
    { ...NOTHING, startThread: true },
    { ...NOTHING, startThread: true, loadsSharp: true },
  ],
  // Bun 1.4 has no permissions.
  bun: [ALL, ALL],
};

describeEach("a worker on $name", ({ name, command, args }) => {
  test("can do what it is for, and of all else only what SECURITY.md says", () => {
    const folder = makeTempFolder();
    const database = join(folder, "service.db");
    writeFileSync(database, "x");
    const options = { encoding: "utf8", timeout: 120_000, env: { ...process.env, TMPDIR: folder } } as const;
    const { stdout, stderr } = spawnSync(command, [...args, PROBE, database], options);
    const could = stdout.trim().split("\n");
    expect(could, stderr).toHaveLength(2);
    expect(could.map((line): unknown => JSON.parse(line))).toEqual(COULD[name]);
  }, 150_000);
});
