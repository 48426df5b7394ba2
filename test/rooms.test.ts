import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const ROOT = new URL("..", import.meta.url);

/** Who may import whom: rooms by folder, packages by name; "type:" marks what may be imported as a type only. */
const ALLOWED: Record<string, readonly string[]> = {
  wire: ["wire"],
  tools: [
    "tools",
    "wire",
    "fflate",
    "diff",
    "@noble/hashes",
    "@noble/ciphers",
    "@hpke/core",
    "@hpke/dhkem-x25519",
    "@scure/bip39",
    "age-encryption",
    "hash-wasm",
    "libheif-js",
  ],
  db: [
    "db",
    "kysely",
    "better-sqlite3",
    "pg",
    "node:async_hooks",
    "node:fs",
    "node:path",
    "node:worker_threads",
  ],
  router: [
    "router",
    "tools",
    "wire",
    "db",
    "otpauth",
    "@simplewebauthn/server",
    "zod",
    "@trpc/server",
    "trpc-to-openapi",
  ],
  adapters: [
    ...[
      "adapters",
      "router",
      "type:db",
      "type:tools",
      "wire",
      "h3",
      "srvx",
      "openid-client",
      "jose",
      "standardwebhooks",
      "@trpc/server",
      "trpc-to-openapi",
      "sharp",
    ],
    ...["zod", "ipaddr.js", "@remix-run/multipart-parser", "package.json", "node:*"],
  ],
  client: ["client", "wire", "type:router", "@trpc/client", "@trpc/server"],
  cli: [
    ...["cli", "tools", "wire", "client", "type:router"],
    ...["commander", "@commander-js/extra-typings", "package.json", "node:*"],
  ],
  web: [
    ...["web", "tools", "wire", "client", "type:router"],
    ...["preact", "@preact/signals", "uqr", "hash-wasm", "@jsquash/avif", "@jsquash/webp", "pdfjs-dist"],
    ...["@zxcvbn-ts/core", "@zxcvbn-ts/language-common", "@zxcvbn-ts/language-en", "@simplewebauthn/browser"],
  ],
  examples: [
    ...["examples", "adapters", "@trpc/server", "superjson", "zod"],
    ...["srvx", "@trpc/client", "eventsource"],
  ],
  release: ["release", "type:adapters", "rolldown", "node:*"],
  server: ["server", "adapters", "db"],
  // One line, for `deno run` and `bun run`.
  main: ["server"],
};

/** Single files that may do more than their room, each for a reason that stands in the file. */
const ALSO: Record<string, readonly string[]> = {
  "server/admin.ts": ["cli"],
  "server/administration.ts": ["router", "node:util"],
  "adapters/service/pages/texts.ts": ["web/words/*.json"],
  "adapters/workers/image-jobs.ts": ["tools"],
  "adapters/workers/passwords.ts": ["tools"],
  "cli/commands/admin.ts": ["server"],
  "cli/files/codec.ts": ["adapters"],
  "cli/commands/serve.ts": ["server"],
  "cli/mcp/answers.ts": ["type:@modelcontextprotocol/server"],
  "cli/mcp/line-transport.ts": ["@modelcontextprotocol/server"],
  "cli/mcp/link-tools.ts": ["router"],
  "cli/mcp/local-service.ts": ["server"],
  "cli/mcp/read-values.ts": ["router"],
  "cli/mcp/serve.ts": ["@modelcontextprotocol/server"],
  "cli/mcp/tool.ts": ["adapters", "router", "zod", "type:@modelcontextprotocol/server"],
  "cli/server/compare-pages.ts": ["adapters"],
  "cli/terminal/process-io.ts": ["bin"],
  "release/build.ts": ["web"],
  "release/clone/build.ts": ["bin", "web"],
  "release/packages/describe-options.ts": ["adapters", "zod"],
  "release/packages/describe-router.ts": ["router", "zod", "type:@trpc/server"],
  "release/executable/build.ts": ["test"],
  "release/executable/no-images.ts": ["tools", "wire"],
  "release/executable/program.ts": ["adapters", "cli"],
  "release/release.ts": ["package.json", "web"],
  "release/sbom.ts": ["package.json"],
  "release/site/pages.ts": ["package.json"],
  "release/try.ts": ["test"],
  "web/build/bundle.ts": ["vite", "node:*"],
  "web/build/draw.ts": ["vite", "node:*"],
  "web/build/drawn.tsx": ["preact-render-to-string"],
  "web/build/icons.ts": ["sharp", "node:*"],
  "web/build/chunks.ts": ["type:vite", "node:*"],
  "web/build/seal.ts": ["vite", "package.json", "node:*"],
  "web/build/stamp.ts": ["node:*"],
  "web/build/words.ts": ["type:vite", "node:*"],
};

interface Import {
  readonly file: string;
  readonly from: string;
  readonly isType: boolean;
}

function importsOf(file: string): Import[] {
  const source = readFileSync(new URL(file, ROOT), "utf8");
  const found = source.matchAll(
    /^(import|export) (type )?[^;]*? from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"[,)]/gm,
  );
  return [...found].map(([, , type, from, bare, dynamic]) => ({
    file,
    from: from ?? bare ?? dynamic ?? "",
    isType: Boolean(type),
  }));
}

function filesOf(room: string): string[] {
  if (room === "main") return ["main.ts"];
  const files = readdirSync(new URL(`${room}/`, ROOT), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => /\.tsx?$/.test(file) && !/(^|[\\/])dist[\\/]/.test(file))
    .map((file) => `${room}/${file.replaceAll("\\", "/")}`);
}

function targetOf({ file, from }: Import): string {
  if (!from.startsWith("."))
    return from.startsWith("@") ? from.split("/").slice(0, 2).join("/") : (from.split("/")[0] ?? "");
  const path = new URL(from, new URL(file, ROOT)).href.slice(ROOT.href.length);
  // Words are no code of the pages.
  if (file.startsWith("adapters/") && /^web\/words\/[a-z]{2}\.json$/.test(path)) return "web/words/*.json";
  return path.includes("/") ? (path.split("/")[0] ?? "") : path;
}

function isAllowed(each: Import, room: string): boolean {
  const allowed = [...(ALLOWED[room] ?? []), ...(ALSO[each.file] ?? [])];
  const target = targetOf(each);
  if (target.startsWith("node:") && allowed.includes("node:*")) return true;
  return allowed.includes(target) || (each.isType && allowed.includes(`type:${target}`));
}

test.each(Object.keys(ALLOWED))("%s imports nobody it may not know", (room) => {
  const wrong = filesOf(room)
    .flatMap(importsOf)
    .filter((each) => !isAllowed(each, room));
  expect(wrong.map(({ file, from }) => `${file} -> ${from}`)).toEqual([]);
});

/** What the adapter for any router may know: nothing of this service. */
const ADAPTER = [
  ...["wire", "@trpc/server", "trpc-to-openapi", "zod", "srvx", "h3", "@remix-run/multipart-parser"],
  ...["node:stream", "node:timers", "node:util", "node:zlib"],
];

test("adapters/trpc knows no other room than wire, and no word of this service", () => {
  const files = filesOf("adapters").filter((file) => file.startsWith("adapters/trpc/"));
  const wrong = files.flatMap(importsOf).filter((each) => {
    const isInside = localTarget(each).startsWith("adapters/trpc/");
    return !isInside && !ADAPTER.includes(targetOf(each));
  });
  expect(wrong.map(({ file, from }) => `${file} -> ${from}`)).toEqual([]);
  const words = /\b(secrets?|tools?|accounts?|members?|passphrases?|hushkit)\b/i;
  // The package is published under this name.
  const code = (file: string) =>
    readFileSync(new URL(file, ROOT), "utf8").replace(/^import .*$|@hushkit\/trpc/gm, "");
  // A parameter that no answer may repeat is called secret, as its schema says.
  const naming = files.filter((file) =>
    words.test(code(file).replace(/\bsecret(: boolean|: field|,|\s\?)/g, "")),
  );
  expect(naming).toEqual([]);
});

test("every file of SQLite is opened in one place, but by the thread that only moves pages", () => {
  const opening = filesOf("db").filter((file) =>
    /\bnew SqliteFile\(/.test(readFileSync(new URL(file, ROOT), "utf8")),
  );
  expect(opening.toSorted()).toEqual(["db/connection/checkpoint-thread.ts", "db/connection/sqlite-file.ts"]);
});

test("an example uses the adapter by what its package offers", () => {
  const inside = filesOf("examples").flatMap(importsOf).map(localTarget);
  const others = inside.filter((to) => to !== "" && !to.startsWith("examples/"));
  expect(new Set(others)).toEqual(new Set(["adapters/trpc/index.ts"]));
});

/** Inside the adapters nothing imports back: http knows the service, which knows the rest. */
test.each(["trpc", "workers", "operations"])("adapters/%s knows neither the service nor http", (folder) => {
  const files = filesOf("adapters").filter((file) => file.startsWith(`adapters/${folder}/`));
  const targets = files.flatMap(importsOf).map((each) => ({ ...each, to: localTarget(each) }));
  const wrong = targets.filter(({ to }) => /^adapters\/(service|http)\//.test(to));
  expect(wrong.map(({ file, from }) => `${file} -> ${from}`)).toEqual([]);
});

test("tools names no runtime", () => {
  // Words of a list are no code.
  const files = filesOf("tools").filter((file) => !file.endsWith("-list.ts"));
  const named = files.filter((file) => {
    const code = readFileSync(new URL(file, ROOT), "utf8").replace(
      /\/\*[\s\S]*?\*\/|\/\/.*$|"(?:[^"\\\n]|\\.)*"/gm,
      "",
    );
    return /\b(Buffer|Deno|Bun|process)\b/.test(code);
  });
  expect(named).toEqual([]);
});

// A blank, a letter beyond ASCII or a "#" in the path of a clone is percent-encoded in its URL.
test("the path of a file is taken from its URL by fileURLToPath", () => {
  const files = [...Object.keys(ALLOWED), "test", "bench"].flatMap(filesOf);
  const PATHNAME = /(\bnew URL\([^()]*import\.meta\.url\)|\bROOT)\.pathname/;
  expect(files.filter((file) => PATHNAME.test(readFileSync(new URL(file, ROOT), "utf8")))).toEqual([]);
});

test("no import leads back to where it came from, types included", () => {
  const files = Object.keys(ALLOWED).flatMap(filesOf);
  const edges = new Map(files.map((file) => [file, importsOf(file).map((each) => localTarget(each))]));
  const circles = files.filter((file) => reaches(file, { from: file, edges, seen: new Set() }));
  expect(circles).toEqual([]);
});

/** What reads an image, a PDF, a ZIP, a locked file beyond its fixed header, or long JSON. */
const PARSERS =
  /^tools\/(image\/(readers|tiff|bmp|png)\/|image\/(header|heic-decode|strip|webp-)|age\/(armor|header|unlock-age)|pdf\/|pdf-[a-z]+\.ts|image-convert\.ts|crypto\/unlock-(file|container)\.ts|text-compare-json)|^wire\/json-(calls|files)\.ts/;
const PARSING_LIBRARIES = ["sharp", "libheif-js", "fflate", "diff", "age-encryption"];

test("the server's own process loads no parser of a file format; workers do", () => {
  const server = loadedBy("main.ts");
  expect(server.files.length).toBeGreaterThan(150);
  expect(server.files.filter((file) => PARSERS.test(file))).toEqual([]);
  expect(server.libraries.filter((name) => PARSING_LIBRARIES.includes(name))).toEqual(["diff"]);
  // What the pattern does not find anywhere would prove nothing.
  for (const worker of ["tools/entries/jobs.ts", "adapters/workers/image-jobs.ts"])
    expect(loadedBy(worker).files.some((file) => PARSERS.test(file))).toBe(true);
});

/** The files and libraries that a program loads, also those that it loads later. */
function loadedBy(program: string): { files: string[]; libraries: string[] } {
  const [files, libraries] = [new Set([program]), new Set<string>()];
  for (const file of files) {
    for (const each of importsOf(file).filter(({ isType }) => !isType)) {
      if (!each.from.startsWith(".")) libraries.add(targetOf(each));
      else if (/\.tsx?$/.test(each.from)) files.add(localTarget(each));
    }
  }
  return { files: [...files], libraries: [...libraries] };
}

function localTarget({ file, from }: Import): string {
  return from.startsWith(".") ? new URL(from, new URL(file, ROOT)).href.slice(ROOT.href.length) : "";
}

interface Walk {
  readonly from: string;
  readonly edges: ReadonlyMap<string, readonly string[]>;
  readonly seen: Set<string>;
}

function reaches(goal: string, { from, edges, seen }: Walk): boolean {
  return (edges.get(from) ?? []).some((next) => {
    if (next === goal) return true;
    if (seen.has(next)) return false;
    seen.add(next);
    return reaches(goal, { from: next, edges, seen });
  });
}

test("every property takes the seed that the suite has printed", () => {
  const names = readdirSync(new URL("test/", ROOT), { recursive: true, encoding: "utf8" });
  const files = names
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `test/${name.replaceAll("\\", "/")}`);
  const drawing = files.flatMap(importsOf).filter(({ from }) => from === "fast-check");
  expect(drawing.map(({ file }) => file)).toEqual(["test/support/properties.ts"]);
});
