// process
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { describeEach } from "../../machine/skips.ts";
import { withProcess } from "../../process/support/with-process.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { hushkit, NODE } from "../support/program.ts";
import { startAgent } from "./support/agent.ts";

const server = withProcess(NODE);

const ID = "a".repeat(16);
/** What leads to a secret, to a request, and to its answer. */
const PATHS = {
  secret: `/s/${ID}#${"b".repeat(22)}`,
  answer: `/r/${ID}#${"A".repeat(43)}`,
  collect: `/r/${ID}/collect#${"c".repeat(32)}.${"A".repeat(43)}`,
};

/** Somebody who counts calls, and sends them on to another address where there is one. */
async function startOther({ redirect }: { redirect?: string } = {}) {
  const calls: string[] = [];
  const other = createServer((request, response) => {
    calls.push(request.url ?? "");
    const location = redirect === undefined ? {} : { location: `${redirect}${request.url}` };
    response.writeHead(redirect === undefined ? 404 : 307, location).end();
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  return { calls, host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}` };
}

function makeFolder() {
  const folder = makeTempFolder();
  mkdirSync(join(folder, "shared"));
  return folder;
}

test("says of each tool whether it goes over the network", async () => {
  const { client } = await startAgent(NODE, { folder: makeFolder() });
  const { tools } = await client.listTools();
  const open = tools.filter(({ annotations }) => annotations?.openWorldHint);
  expect(open.map(({ name }) => name).toSorted()).toEqual(["ask", "collect", "open", "send", "status"]);
  for (const { name, description } of open)
    expect([name, description]).toEqual([name, expect.stringContaining("Goes over the network")]);
});

describeEach("an agent on $name", (runtime) => {
  test("asks the server of HUSHKIT_URL and no host of a link that was not allowed", async () => {
    const other = await startOther();
    const folder = makeFolder();
    const env = { HUSHKIT_URL: server.url, WORD: "hunter2" };
    const { call } = await startAgent(runtime, { folder, args: ["--allow", "shared"], env });
    writeFileSync(join(folder, "shared/link.txt"), other.url + PATHS.secret);
    for (const [tool, values] of [
      ["status", { link: other.url + PATHS.secret }],
      ["status", { link: other.url + PATHS.answer }],
      ["status", { link: other.url + PATHS.collect }],
      ["status", { link: "file:link.txt" }],
      ["open", { link: other.url + PATHS.secret, output: "a" }],
      ["collect", { link: other.url + PATHS.collect, output: "a" }],
    ] as const) {
      const { isError, facts } = await call(tool, values);
      expect([tool, isError]).toEqual([tool, true]);
      expect(facts.error).toMatch(/^Parameter "link" leads to a host that may not be asked\./);
      expect(facts.error).toContain(`Allowed is only ${new URL(server.url).origin};`);
      expect(facts.error).toContain("--allow-host HOST");
      expect(facts.error).not.toContain(other.host);
    }
    expect(other.calls).toEqual([]);
    expect(existsSync(join(folder, "shared/a"))).toBe(false);
    const sent = await call("send", { content: "env:WORD" });
    expect((await call("status", { link: sent.facts.link })).facts).toMatchObject({ status: "active" });
  });

  test("asks a host that was allowed, and none where there is neither", async () => {
    const folder = makeFolder();
    const made = await hushkit(NODE, ["send"], { folder, env: { HUSHKIT_URL: server.url }, stdin: "text" });
    const link = made.out.trim();
    const without = await startAgent(runtime, { folder });
    const refused = await without.call("status", { link });
    expect(refused.facts.error).toContain("Allowed is none, since HUSHKIT_URL names no server;");
    const { hostname, host } = new URL(server.url);
    for (const allowed of [hostname, host]) {
      const { call } = await startAgent(runtime, { folder, args: ["--allow-host", allowed] });
      expect((await call("status", { link })).facts).toMatchObject({ status: "active" });
    }
    const { call } = await startAgent(runtime, { folder, args: ["--allow-host", `${hostname}:9`] });
    expect((await call("status", { link })).facts.error).toContain(`Allowed is only ${hostname}:9;`);
  });

  test("follows no redirect to another host", async () => {
    const other = await startOther();
    const first = await startOther({ redirect: other.url });
    const folder = makeFolder();
    const options = { folder, args: ["--allow", "shared", "--allow-host", first.host] };
    const env = { HUSHKIT_URL: first.url, WORD: "hunter2" };
    const { call } = await startAgent(runtime, { ...options, env });
    for (const [tool, values] of [
      ["status", { link: first.url + PATHS.secret }],
      ["open", { link: first.url + PATHS.secret, output: "a" }],
      ["collect", { link: first.url + PATHS.collect, output: "a" }],
      ["send", { content: "env:WORD" }],
      ["ask", {}],
    ] as const) {
      const { isError, text } = await call(tool, values);
      expect([tool, isError, text]).toEqual([
        tool,
        true,
        expect.stringContaining("leads to a host that may not be asked"),
      ]);
    }
    expect(first.calls.length).toBeGreaterThanOrEqual(5);
    expect(other.calls).toEqual([]);
  });
});

test.each(["https://hush.example", "hush.example/path", "ann@hush.example", "a b", "hush.example:port"])(
  "takes no %j for a host",
  async (host) => {
    const ended = await hushkit(NODE, ["mcp", "--allow-host", host], { folder: makeFolder() });
    expect(ended).toMatchObject({
      code: 2,
      err: expect.stringContaining("--allow-host takes a host such as"),
    });
  },
);
