// process
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { allowFolders } from "../../../cli/mcp/allowed-folders.ts";
import { readInput, streamInput } from "../../../cli/files/input.ts";
import { startOutput } from "../../../cli/files/output.ts";
import type { Io } from "../../../cli/terminal/io.ts";
import { withProcess } from "../../process/support/with-process.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { hushkit, NODE } from "../support/program.ts";
import { startAgent } from "./support/agent.ts";

const server = withProcess(NODE);
const LEADS_OUT = "it leads out of the folders of --allow";

/** A folder below an allowed one, and what puts a link to another folder in its place. */
function makeFolders() {
  const folder = makeTempFolder();
  const path = (name: string) => join(folder, name);
  for (const name of ["shared", "shared/sub", "beside"]) mkdirSync(path(name));
  for (const name of ["shared/sub/a.txt", "beside/a.txt", "beside/old.txt"]) writeFileSync(path(name), name);
  const swap = () => {
    renameSync(path("shared/sub"), path("shared/moved"));
    symlinkSync(path("beside"), path("shared/sub"));
  };
  return { folder, path, swap };
}

/** The server, which swaps the folder when it is first asked. */
async function startSwapping(swap: () => void): Promise<string> {
  let isSwapped = false;
  const between = createServer(async (request, response) => {
    if (!isSwapped) swap();
    isSwapped = true;
    const { url = "", method = "GET" } = request;
    const headers = { "content-type": request.headers["content-type"] ?? "text/plain" };
    const body = Buffer.concat(await request.toArray());
    const came = await fetch(server.url + url, { method, headers, ...(method === "POST" && { body }) });
    response.writeHead(came.status, Object.fromEntries(came.headers)).end(await came.bytes());
  });
  await new Promise<void>((resolve) => between.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void between.close());
  return `http://127.0.0.1:${(between.address() as AddressInfo).port}`; // listening on a port
}

test.each([{ output: "sub/opened.txt" }, { output: "sub/old.txt", overwrite: true }])(
  "opens no secret into another folder, which takes the place of an allowed one meanwhile: %j",
  async (values) => {
    const { folder, path, swap } = makeFolders();
    const sent = await hushkit(NODE, ["send"], { folder, env: { HUSHKIT_URL: server.url }, stdin: "text" });
    const url = await startSwapping(swap);
    const link = sent.out.trim().replace(server.url, url);
    const { call } = await startAgent(NODE, {
      folder,
      args: ["--allow", "shared"],
      env: { HUSHKIT_URL: url },
    });
    const { isError, text } = await call("open", { link, ...values });
    expect([isError, text]).toEqual([true, expect.stringContaining(LEADS_OUT)]);
    expect(readdirSync(path("beside")).toSorted()).toEqual(["a.txt", "old.txt"]);
    expect(readFileSync(path("beside/old.txt"), "utf8")).toBe("beside/old.txt");
  },
);

test("files are read and written where they were found, or not at all", async () => {
  const { folder, path, swap } = makeFolders();
  const { findInput, findOutput, checkPlace } = await allowFolders({ cwd: folder } as Io, ["shared"], {
    anyName: false,
  });
  const io = { cwd: folder, checkPlace } as Io; // nothing else is used
  const options = { overwrite: true };
  const input = await findInput({ parameter: "file", path: "sub/a.txt" }, { maxBytes: 99 });
  const output = await findOutput({ parameter: "output", path: "sub/new.txt" }, options);
  const linked = await findOutput({ parameter: "output", path: "linked.txt" }, options);
  const begun = await startOutput(io, { path: output, force: true });
  expect(new TextDecoder().decode(await readInput(io, input))).toBe("shared/sub/a.txt");
  swap();
  symlinkSync(path("beside/old.txt"), path("shared/linked.txt"));
  await expect(begun.finish()).rejects.toThrow(LEADS_OUT);
  await begun.drop();
  await expect(startOutput(io, { path: output, force: true })).rejects.toThrow(LEADS_OUT);
  await expect(startOutput(io, { path: linked, force: true })).rejects.toThrow("a link");
  await expect(readInput(io, input)).rejects.toThrow(LEADS_OUT);
  await expect(streamInput(io, input).next()).rejects.toThrow(LEADS_OUT);
  expect(readdirSync(path("beside")).toSorted()).toEqual(["a.txt", "old.txt"]);
});
