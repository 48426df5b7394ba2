// process
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findRecipe } from "../../support/recipes.ts";
import { makeTempFolder } from "../../support/temp-folder.ts";
import { NODE } from "../support/program.ts";
import { startAgent } from "./support/agent.ts";

interface Server {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** What each agent would start, as its own form says it. */
const AGENTS: Readonly<Record<string, () => Server>> = {
  Cursor: () => JSON.parse(findRecipe("mcp.md", "Cursor", "json")).mcpServers.hushkit,
  "Visual Studio Code": () => JSON.parse(findRecipe("mcp.md", "Visual Studio Code", "json")).servers.hushkit,
  Codex: () => readToml(findRecipe("mcp.md", "Codex", "toml")),
};

/** The little of TOML that is there: its strings and lists are those of JSON. */
function readToml(text: string): Server {
  const valueOf = (key: string): unknown =>
    JSON.parse(new RegExp(`^${key} = (.*)$`, "m").exec(text)?.[1] ?? "");
  const env = { HUSHKIT_URL: String(valueOf("HUSHKIT_URL")) };
  return { command: String(valueOf("command")), args: valueOf("args") as string[], env };
}

test.each(Object.keys(AGENTS))(
  "the configuration of %s starts a server that works on the folder it names",
  async (agent) => {
    const { command, args, env } = AGENTS[agent]!();
    expect([command, args[0]]).toEqual(["hushkit", "mcp"]);
    const folder = makeTempFolder();
    mkdirSync(join(folder, "shared"));
    writeFileSync(join(folder, "shared", "a.txt"), "abc");
    // The folders of the examples are those of nobody here.
    const own = args.slice(1).map((word) => word.replace(/^(\/home\/ann|\$\{workspaceFolder\})/, folder));
    const { call } = await startAgent(NODE, { folder, args: own, env: { ...env } });
    const { facts } = await call("file-hash", { file: join(folder, "shared", "a.txt") });
    // FIPS 180-2, appendix B.1.
    const sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    expect(facts).toMatchObject({ digests: { sha256 } });
    const told = (await call("send", { content: "env:NOT_SET" })).facts.error;
    expect(told).toContain("without this variable");
  },
);

test("links are written to files only where the server was started so", async () => {
  const folder = makeTempFolder();
  const env = { WORD: "geheim", HUSHKIT_URL: "http://127.0.0.1:9" };
  const args = ["--allow", folder, "--links-to-files"];
  const { call } = await startAgent(NODE, { folder, args, env });
  for (const [name, values] of [
    ["send", { content: "env:WORD" }],
    ["ask", {}],
  ] as const)
    expect((await call(name, values)).facts.error).toContain('"linkFile" is missing');
});
