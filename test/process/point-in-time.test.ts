// process
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { testWith } from "../machine/skips.ts";
import { readRecipes } from "../support/recipes.ts";
import { nodePath, runtimeAt } from "../support/runtimes.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { runAdminOn } from "./support/admin.ts";
import { makeOwnPostgres } from "./support/postgres.ts";
import type { RunningServer } from "./support/server.ts";
import { startForTest } from "./support/with-process.ts";

const NODE = runtimeAt("node", nodePath());
const EXAMPLE_TIME = "2026-11-23 03:00:00+00";

interface Shared {
  readonly id: string;
  readonly key: string;
}

async function share({ url }: RunningServer): Promise<Shared> {
  return (await (await fetch(`${url}/api/secrets`, { method: "POST", body: "hush" })).json()) as Shared;
}

async function reveal({ url }: RunningServer, { id, key }: Shared): Promise<number> {
  const body = new URLSearchParams({ key });
  return (await fetch(`${url}/api/secrets/${id}/reveal`, { method: "POST", body })).status;
}

/** The blocks below the heading, with a folder in the place of the disk that they name. */
function readBlocks(folder: string): string[] {
  const blocks = readRecipes("operations.md").filter(({ title }) => title === "Point in time");
  return blocks.map(({ code }) => code.replaceAll("/backup/", `${folder}/`));
}

/** Settings of a file as options of the program, in the quotes of the shell to which pg_ctl gives them. */
function asOptions(settings: string): string {
  const lines = settings.matchAll(/^(\w+) = (?:'(.*)'|(.*))$/gm);
  return [...lines].map(([, name, quoted, plain]) => `-c ${name}="${quoted ?? plain}"`).join(" ");
}

testWith(
  "initdb",
  "pg_dump",
  "pg_restore",
  "bash",
)("the documented way back to a moment brings back no secret that was read since", async () => {
  const folder = makeTempFolder();
  chmodSync(folder, 0o777);
  const [settings = "", copy = "", goBack = "", forget = ""] = readBlocks(folder);
  const database = await makeOwnPostgres({ options: asOptions(settings) });
  onTestFinished(database.drop);
  database.program("mkdir", join(folder, "wal"));
  const env = { DATABASE_URL: database.url, TRUST_PROXY: "1" };
  const server = await startForTest(NODE, env);
  const early = await share(server);
  database.program("bash", "-ec", copy);
  const late = await share(server);
  const [moment = ""] = await database.ask("select clock_timestamp()::text");
  expect([await reveal(server, early), await reveal(server, late)]).toEqual([200, 200]);
  const lost = await share(server);
  await server.stop();
  const [name = ""] = await database.ask("select pg_walfile_name(pg_switch_wal())");
  await expect.poll(() => existsSync(join(folder, "wal", name))).toBe(true);

  database.stop();
  expect(goBack).toContain(EXAMPLE_TIME);
  database.program("bash", "-ec", goBack.replace(EXAMPLE_TIME, moment));
  database.start();
  // Before that it only reads.
  await expect.poll(() => database.ask("select pg_is_in_recovery()::text")).toEqual(["false"]);
  const unread = "select count(*)::text from secret where closed_at is null";
  expect(await database.ask(unread)).toEqual(["2"]);
  for (const [, words = ""] of forget.matchAll(/^hushkit admin (.*)$/gm))
    expect(await runAdminOn(NODE, words.split(" "), { env })).toMatchObject({ code: 0, err: "" });
  const again = await startForTest(NODE, env);
  const statuses = [early, late, lost].map((shared) => reveal(again, shared));
  expect(await Promise.all(statuses)).toEqual([410, 410, 404]);
  expect(await reveal(again, await share(again))).toBe(200);
});
