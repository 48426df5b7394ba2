// process
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { testWith } from "../machine/skips.ts";
import { withProcess } from "../process/support/with-process.ts";
import { findRecipe } from "../support/recipes.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { hushkit, NODE, PROGRAM } from "./support/program.ts";

const server = withProcess(NODE);

test("an upload as ShareX makes it by the custom uploader answers a link", async () => {
  const uploader = JSON.parse(findRecipe("project/neighbours.md", "ShareX", "json"));
  expect(uploader).toMatchObject({ Body: "MultipartFormData", URL: "{response}" });
  const form = new FormData();
  form.append(uploader.FileFormName, new File(["picture"], "shot.png", { type: "image/png" }));
  const { pathname } = new URL(uploader.RequestURL);
  const query = new URLSearchParams(uploader.Parameters);
  const url = `${server.url}${pathname}?${query}`;
  const response = await fetch(url, { method: uploader.RequestMethod, body: form });
  const link = await response.text();
  const folder = makeTempFolder();
  const opened = await hushkit(NODE, ["open", link.trim(), "-o", "-"], { folder });
  expect(opened).toMatchObject({ code: 0, out: "picture" });
});

testWith("bash")("scripts that call yopass hand over texts and files, and open links", async () => {
  const folder = makeTempFolder();
  writeFileSync(join(folder, "secret.conf"), "key = value");
  // What `hushkit` is where it is installed.
  const program = `hushkit() { "${NODE.command}" ${NODE.args.join(" ")} "${PROGRAM}" "$@"; }`;
  const recipe = findRecipe("project/neighbours.md", "Yopass", "sh");
  const run = async (script: string) => {
    const env = { PATH: process.env.PATH, HOME: folder, HUSHKIT_URL: server.url };
    const { stdout } = await promisify(execFile)("sh", ["-c", `${program}\n${recipe}\n${script}`], {
      cwd: folder,
      env,
    });
    return stdout;
  };
  const link = (await run("printf 'my secret' | yopass --expiration=1h --one-time=true")).trim();
  expect(await run(`yopass --decrypt='${link}'`)).toBe("my secret");
  const file = (await run("yopass --file=secret.conf")).trim();
  const opened = await hushkit(NODE, ["open", file, "-o", "-"], { folder });
  expect(opened).toMatchObject({ code: 0, out: "key = value" });
  await expect(run("printf x | yopass --key=abc")).rejects.toMatchObject({ code: 2 });
});
