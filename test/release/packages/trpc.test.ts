import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { describeEach, describeWith, placeOf, testWith } from "../../machine/skips.ts";
import { nodePath } from "../../support/runtimes.ts";
import { environment, withInstalled } from "./support/install.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const README = readFileSync(join(ROOT, "adapters/trpc/README.md"), "utf8");
const [SHOWN = "", CLIENT = ""] = [...README.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);
const CLIENT_FILE = `import type { router } from "./server.ts";\n${CLIENT}`;
/** Calls of curl; before them stands what installs it. */
const [, COMMANDS = ""] = [...README.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, code]) => code);
// At any port that is free; what the README starts answers here without a socket too.
const SERVER = SHOWN.replace("port: 3000", "port: 0").replace("serve({", "export default app;\nserve({");
// tRPC's own declarations ask for the last ones.
const PEERS = [
  "@trpc/server@11.25.2",
  "@trpc/client@11.25.2",
  "trpc-to-openapi@3.3.0",
  "zod@4.6.7",
  "srvx@1.0.8",
];
const TYPES = ["@types/node@24", "@types/ws@8"];

const USE = `
import app from "./server.ts";
import { createTRPCClient } from "@trpc/client";
import { frameLink } from "@hushkit/trpc/client";
const url = "http://count.test";
const fetch = (input, init) => app.fetch(new Request(input, init));
const file = new Uint8Array(5);
const rest = await (await fetch(url + "/api/count?twice=true", { method: "POST", body: file })).json();
const typed = await createTRPCClient({ links: [frameLink({ url: url + "/trpc", fetch })] }).count.mutate({ file });
const { info } = await (await fetch(url + "/api/openapi.json")).json();
console.log(JSON.stringify([rest, typed, info.title]));
process.exit(0);
`;

describeWith("the npm registry")("@hushkit/trpc, installed in an empty folder", () => {
  const installed = withInstalled(["@hushkit/trpc"], [...PEERS, ...TYPES]);
  beforeAll(() => {
    installed.write("package.json", JSON.stringify({ type: "module", private: true }));
    installed.write("server.ts", SERVER);
    installed.write("client.ts", CLIENT_FILE);
    installed.write("use.js", USE);
  });

  describeEach("on $name", ({ command, args }) => {
    test("serves what its README shows, to REST and to the frame link", () => {
      const options = { cwd: installed.folder, env: environment(), encoding: "utf8" } as const;
      const written = execFileSync(command, [...args, "use.js"], options);
      // Before it srvx says where it listens.
      expect(JSON.parse(written.trim().split("\n").at(-1) ?? "")).toEqual([
        { size: 10 },
        { size: 5 },
        "Counting",
      ]);
    });
  });

  testWith("curl", "bash")("runs as its README shows it, for curl and for the client", async () => {
    const program = spawn(nodePath(), ["server.ts"], { cwd: installed.folder, env: environment() });
    onTestFinished(() => void program.kill());
    let told = "";
    program.stdout.on("data", (bytes) => (told += bytes));
    await expect.poll(() => told).toMatch(/http:\/\/\S+:\d+/);
    const here = (text: string) => text.replaceAll("localhost:3000", /\/\/([^/\s]+:\d+)/.exec(told)![1]!);
    installed.write("photo.jpg", "12345");
    const answers = execFileSync(placeOf("bash"), ["-e", "-c", here(COMMANDS)], {
      cwd: installed.folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    expect(answers).toBe('{"size":10}{"size":10}');
    installed.write("client.ts", `${here(CLIENT_FILE)}\nconsole.log(size);\n`);
    expect(await installed.node("client.ts")).toBe("3\n");
  });

  test("has declarations that check in full, and README code that they accept", () => {
    const compilerOptions = {
      ...{
        strict: true,
        noEmit: true,
        module: "nodenext",
        allowImportingTsExtensions: true,
        types: ["node"],
      },
      ...{
        target: "es2024",
        lib: ["es2024", "dom", "dom.iterable", "dom.asynciterable"],
        skipLibCheck: false,
      },
      exactOptionalPropertyTypes: true,
    };
    installed.write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["server.ts", "client.ts"] }));
    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    const options = { cwd: installed.folder, env: environment(), encoding: "utf8" } as const;
    const told = run(() => execFileSync(nodePath(), [compiler, "-p", "tsconfig.json"], options));
    expect(told).toBe("");
  });
});

function run(compile: () => string): string {
  try {
    return compile();
  } catch (error) {
    return String(Reflect.get(Object(error), "stdout"));
  }
}
