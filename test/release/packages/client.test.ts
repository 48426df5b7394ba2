import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { withProcess } from "../../process/support/with-process.ts";
import { findRecipe } from "../../support/recipes.ts";
import { describeEach, describeWith, placeOf, testWith } from "../../machine/skips.ts";
import { nodePath, runtimeAt } from "../../support/runtimes.ts";
import { makeBlankPdf } from "../../support/samples.ts";
import { browserTest, launchBrowser } from "../../web/support/browser.ts";
import { environment, withInstalled } from "./support/install.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const MOST_ADDED_BYTES = 20 * 1024;
// tRPC's own declarations ask for the last two.
const OTHERS = [
  "@trpc/tanstack-react-query@11.22.1",
  "@tanstack/react-query@5",
  "react@19",
  "@types/react@19",
  "@types/node@24",
  "@types/ws@8",
];

/** The code of the READMEs, by names of files. */
const SNIPPETS = [".", "client", "tools"].flatMap((folder) =>
  [...readFileSync(join(ROOT, folder, "README.md"), "utf8").matchAll(/```ts\n([\s\S]*?)```/g)].map(
    ([, code = ""], i) => [`${folder === "." ? "root" : folder}-${i}.ts`, code] as const,
  ),
);
/** What they do not say, because it is the reader's. */
const GIVEN = `
declare const file: Uint8Array<ArrayBuffer>;
declare const pdf: Uint8Array<ArrayBuffer>;
declare const image: Uint8Array<ArrayBuffer>;
declare const hushkit: import("@hushkit/client").Client;
declare const error: unknown;
declare function show(loaded: number, total?: number): void;
declare function wait(seconds: number): Promise<void>;
`;

const node = runtimeAt("node", nodePath());

const USE = `
import { createClient, failureOf } from "@hushkit/client";
import { hashFile, lockFile, mergePdf, unlockFile } from "@hushkit/tools";
const hushkit = createClient(process.argv[2]);
const { id, key } = await hushkit.secrets.create.mutate({ content: "typed" });
const { content } = await hushkit.secrets.reveal.mutate({ id, key });
const gone = await hushkit.secrets.reveal.mutate({ id, key }).catch(failureOf);
const file = new TextEncoder().encode("abc");
let sent = 0;
const context = { onUploadProgress: ({ loaded }) => (sent = loaded) };
const there = await hushkit.tools.fileHash.mutate({ file }, { context });
const here = await hashFile(file, { algorithms: ["sha256"] });
const locked = [];
for await (const piece of lockFile(file, { password: "p" })) locked.push(...piece);
const { bytes } = await unlockFile(Uint8Array.from(locked), { password: "p" });
const damaged = await mergePdf([{ data: file }]).catch(({ code }) => code);
console.log(JSON.stringify({
  content, gone: gone.code, same: there.digests.sha256 === here.digests.sha256, sent: sent > 3,
  opened: new TextDecoder().decode(bytes), damaged,
}));
process.exit(0);
`;

const TYPED = `
import { createClient, failureOf, frameLink, type AppRouter, type Client } from "@hushkit/client";
import { rotatePdf } from "@hushkit/tools";
import type { inferRouterInputs } from "@trpc/server";
const client: Client = createClient("https://hush.example", { headers: () => ({ a: "b" }), credentials: "include" });
export const angle: inferRouterInputs<AppRouter>["tools"]["pdfRotate"]["angle"] = 90;
export async function use(file: Uint8Array<ArrayBuffer>): Promise<number> {
  const { data, pages } = await client.tools.pdfRotate.mutate({ file, angle: 90 });
  const { tools } = await client.tools.catalogue.query();
  // @ts-expect-error 45 is no angle
  await client.tools.pdfRotate.mutate({ file, angle: 45 }).catch((error) => failureOf(error)?.code === "rate_limited");
  // @ts-expect-error a failure has one of the codes of the table
  failureOf(undefined)?.code === "no_such_code";
  return data.length + pages + tools.length + (await rotatePdf(data, { angle: 90 })).bytes.length;
}
export const link = frameLink({ url: "/trpc" });
`;

const OPTIONS = `
import { QueryClient } from "@tanstack/react-query";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { createClient, type AppRouter } from "@hushkit/client";
const queryClient = new QueryClient();
const client = createClient(process.argv[2] ?? "");
const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
const { tools } = await queryClient.fetchQuery(trpc.tools.catalogue.queryOptions());
const { passwords } = await trpc.tools.password.mutationOptions().mutationFn!({ count: 2 }, undefined as never);
console.log(tools.length > 8, passwords.length);
process.exit(0);
`;

describeWith("the npm registry")("@hushkit/client and @hushkit/tools, installed in an empty folder", () => {
  const server = withProcess(node);
  const installed = withInstalled(["@hushkit/client", "@hushkit/tools"], OTHERS);
  beforeAll(() => {
    installed.write("package.json", JSON.stringify({ type: "module", private: true }));
    installed.write("use.js", USE);
    installed.write("typed.ts", TYPED);
    installed.write("options.ts", OPTIONS);
  });

  describeEach("on $name", ({ command, args }) => {
    test("work", () => use(command, args));
  });
  testWith("an old Node")("work on an old Node", () => use(placeOf("an old Node"), []));

  function use(command: string, args: readonly string[]): void {
    const options = { cwd: installed.folder, env: environment(), encoding: "utf8" } as const;
    const written = execFileSync(command, [...args, "use.js", server.url], options);
    expect(JSON.parse(written)).toEqual({
      content: "typed",
      gone: "secret_gone",
      same: true,
      sent: true,
      opened: "abc",
      damaged: "wrong_file_type",
    });
  }

  test.each([
    ["bundler", "esnext"],
    ["nodenext", "nodenext"],
  ])("have declarations that check in full with moduleResolution %s", (moduleResolution, module) => {
    const compilerOptions = { ...STRICT, moduleResolution, module, skipLibCheck: false };
    // tRPC 11.22 has errors of its own with the types of ws.
    const said = compile({ compilerOptions, files: ["typed.ts"] }).split("\n");
    expect(said.filter((line) => line !== "" && !/\/@trpc\/server\/dist\/ws-/.test(line))).toEqual([]);
  });

  test("name no type of the server and none of its database", () => {
    const folder = join(installed.folder, "node_modules/@hushkit");
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const declarations = names.filter((name) => name.endsWith(".d.ts"));
    const text = declarations.map((name) => readFileSync(join(folder, name), "utf8")).join("\n");
    expect(text).toContain("pdfRotate: import(");
    expect(text).not.toMatch(/from "(kysely|pg|better-sqlite3|zod|h3|trpc-to-openapi|node:)/);
    // Except for the client's own, what a call is made with.
    expect(text).not.toMatch(/\/(db|adapters|procedures)\/|(?<!\/call-)context\.(ts|js)/);
  });

  test("serve as what TanStack Query asks", async () => {
    const compilerOptions = { ...STRICT, moduleResolution: "bundler", module: "esnext", skipLibCheck: true };
    const globals = "declare const process: { argv: string[]; exit(code: number): never };";
    installed.write("globals.d.ts", globals);
    expect(compile({ compilerOptions, files: ["options.ts", "globals.d.ts"] })).toBe("");
    expect(await installed.node("options.ts", server.url)).toBe("true 2\n");
    installed.write("recipe.tsx", findRecipe("recipes.md", "React", "tsx"));
    expect(
      compile({ compilerOptions: { ...compilerOptions, jsx: "react-jsx" }, files: ["recipe.tsx"] }),
    ).toBe("");
  });

  test.each(SNIPPETS)("have READMEs whose code is strict as it stands: %s", (name, code) => {
    installed.write("given.d.ts", GIVEN);
    installed.write(name, `${code}\nexport {};\n`);
    const compilerOptions = { ...STRICT, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
    const modules = { moduleResolution: "nodenext", module: "nodenext", types: ["node"], skipLibCheck: true };
    const files = [name, "given.d.ts"];
    expect(compile({ compilerOptions: { ...compilerOptions, ...modules }, files })).toBe("");
  });

  testWith("curl", "bash")(
    "are used in the README of the server by code and commands that run as they stand",
    async () => {
      const readme = readFileSync(join(ROOT, "README.md"), "utf8").replaceAll(
        "http://127.0.0.1:3000",
        server.url,
      );
      const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
      installed.write("root.js", `${code}\nconsole.log(url);\nprocess.exit();\n`);
      expect(await installed.node("root.js")).toMatch(/^http\S+\/s\/\w+#\w+\n$/);
      const [, commands = ""] = /## Try it\n\n```sh\n([\s\S]*?)```/.exec(readme) ?? [];
      writeFileSync(join(installed.folder, "scan.pdf"), await makeBlankPdf([100, 200, 300]));
      // How far a transfer is it says on the other output.
      const link = execFileSync(placeOf("bash"), ["-e", "-c", commands], {
        cwd: installed.folder,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
      expect(link).toMatch(/^http\S+\/s\/\w+#\w+\n$/);
      expect(readFileSync(join(installed.folder, "turned.pdf"), "latin1")).toMatch(/^%PDF-/);
    },
  );

  test("have a README of the client whose code runs as it stands", async () => {
    const [first = "", second = "", third = ""] = SNIPPETS.filter(([name]) => name.startsWith("client")).map(
      ([, code]) => code,
    );
    const pdf = Buffer.from(await makeBlankPdf([100, 200, 300])).toString("base64");
    const given = `const file = Buffer.from("${pdf}", "base64");\nlet shown = 0;\nconst show = () => shown++;\n`;
    const shown = "console.log(url.startsWith('http'), data.length > 100, pages, shown > 0);\n";
    const code = `${first.replace("https://hush.example", server.url)}\n${second}\n${shown}`;
    installed.write("readme.ts", code.replace("\n\n", `\n${given}`));
    expect(await installed.node("readme.ts")).toBe("true true 3 true\n");
    const error = "const { TRPCClientError } = await import('@trpc/client');\nlet waited = 0;\n";
    const body = "{ error: '', code: 'rate_limited', status: 429, requestId: '', retryAfter: 7 }";
    const thrown = `const error = TRPCClientError.from({ error: { code: -32000, message: '', data: ${body} } });\n`;
    const wait = "const wait = async (seconds) => void (waited = seconds);\n";
    installed.write(
      "readme.js",
      third.replace("\n\n", `\n${error}${thrown}${wait}`) + "\nconsole.log(waited);\n",
    );
    expect(await installed.node("readme.js")).toBe("7\n");
  });

  /** What a page loads that has all of the client: files by their paths. */
  function bundleForPages(): Map<string, Buffer> {
    const folder = join(installed.folder, "app");
    mkdirSync(folder, { recursive: true });
    installed.write("app/index.html", '<script type="module" src="./main.js"></script>');
    installed.write("app/main.js", 'import * as client from "@hushkit/client";globalThis.client = client;');
    const vite = join(ROOT, "node_modules/vite/bin/vite.js");
    execFileSync(node.command, [vite, "build", folder, "--logLevel", "error"], { env: environment() });
    const names = ["index.html", ...readdirSync(join(folder, "dist/assets")).map((name) => `assets/${name}`)];
    return new Map(names.map((name) => [`/${name}`, readFileSync(join(folder, "dist", name))]));
  }

  test("add no more than 20 kB to the pages of others, compressed", () => {
    const files = bundleForPages();
    files.delete("/index.html");
    const assets = [...files.values()];
    const added = assets.reduce((sum, bytes) => sum + gzipSync(bytes).length, 0);
    console.log(`@hushkit/client with @trpc/client: ${added} bytes, compressed`);
    expect(added).toBeLessThanOrEqual(MOST_ADDED_BYTES);
  });

  browserTest("tell a page of another origin how far an upload is", async () => {
    const pages = await servePages(bundleForPages());
    const browser = await launchBrowser();
    onTestFinished(async () => {
      await browser.close();
      pages.close();
    });
    const page = await browser.newPage();
    await page.goto(`${pages.url}/index.html`);
    await page.waitForFunction("globalThis.client");
    const told = await page.evaluate(`(${UPLOAD})(${JSON.stringify(server.url)})`);
    expect(told).toMatchObject({ sha256: createHash("sha256").update(new Uint8Array(SIZE)).digest("hex") });
    const { steps, down } = told as { steps: { loaded: number; total: number }[]; down: number };
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.every(({ loaded }, i) => loaded >= (steps[i - 1]?.loaded ?? 0))).toBe(true);
    expect(steps.at(-1)?.loaded).toBe(steps.at(-1)?.total);
    expect(steps.at(-1)?.total).toBeGreaterThanOrEqual(SIZE);
    expect(down).toBeGreaterThan(0);
  });

  /** What the compiler has to say. */
  function compile(config: object): string {
    installed.write("tsconfig.json", JSON.stringify(config));
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    try {
      return execFileSync(node.command, [tsc, "-p", installed.folder], { encoding: "utf8" });
    } catch (error) {
      return error instanceof Error && "stdout" in error ? String(error.stdout) : String(error);
    }
  }
});

const SIZE = 8_000_000;

const UPLOAD = `async (url) => {
  const steps = [];
  let down = 0;
  const context = {
    onUploadProgress: (step) => steps.push(step),
    onDownloadProgress: ({ loaded }) => (down = loaded),
  };
  const file = new Uint8Array(${SIZE});
  const { digests } = await globalThis.client.createClient(url).tools.fileHash.mutate({ file }, { context });
  return { sha256: digests.sha256, steps, down };
}`;

/** Serves files of a page by their paths, from an origin of its own. */
async function servePages(files: ReadonlyMap<string, Buffer>): Promise<{ url: string; close: () => void }> {
  const types = { html: "text/html", js: "text/javascript" };
  const server = createServer(({ url = "" }, response) => {
    const type = types[url.endsWith(".js") ? "js" : "html"];
    response.writeHead(files.has(url) ? 200 : 404, { "content-type": type }).end(files.get(url));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Listening on a port, a server has the address of one.
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

const STRICT = { target: "es2022", lib: ["esnext", "dom", "dom.iterable"], strict: true, noEmit: true };
