import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const ROOT = new URL("../", import.meta.url);
const FOLDERS = ["adapters", "cli", "client", "db", "router", "server", "tools", "web", "wire"];
const LIBRARIES = [
  ...["node:crypto", "@noble/ciphers", "@noble/hashes", "@hpke/core", "@hpke/dhkem-x25519", "hash-wasm"],
  ...["jose", "openid-client", "otpauth", "age-encryption", "standardwebhooks"],
  ...["@simplewebauthn/server", "@simplewebauthn/browser"],
];
/** What begins so belongs to a library that is meant. */
const PACKAGE = new RegExp(`(?:from|import\\() ?"(${LIBRARIES.join("|")})["/]`);
const RUNTIME = /\bcrypto\??\.(subtle|getRandomValues|randomUUID)\b|\bnativeCrypto\b/;

const read = (file: string) => readFileSync(new URL(file, ROOT), "utf8");

function sourcesOf(folder: string): string[] {
  const names = readdirSync(new URL(`${folder}/`, ROOT), { recursive: true, encoding: "utf8" });
  return names
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((name) => /\.tsx?$/.test(name) && !/\/(dist|node_modules)\//.test(name));
}

/** The code of a file, without comments and imports of types. */
function codeOf(file: string): string {
  return read(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*$|^import type .*$/gm, "");
}

const own = readdirSync(ROOT).filter((name) => name.endsWith(".ts"));
const using = [...own, ...FOLDERS.flatMap(sourcesOf)].filter((file) => {
  const code = codeOf(file);
  return PACKAGE.test(code) || RUNTIME.test(code);
});

/** What stands under a heading of the inventory. */
function section(heading: string): string {
  const [, text = ""] = read("docs/cryptography.md").split(`\n## ${heading}\n`);
  return text.split("\n## ")[0] ?? "";
}

test("the inventory has every file that uses cryptography, and no other", () => {
  const links = [...section("Where it is used").matchAll(/\]\(\.\.\/([^)]+)\)/g)].map(([, file]) => file);
  expect(links.toSorted()).toEqual(using.toSorted());
});

test("the inventory names every library, and no library does cryptography unseen", () => {
  const named = section("Algorithms");
  const servers = LIBRARIES.filter((name) => name !== "node:crypto" && !name.endsWith("/browser"));
  expect(servers.filter((name) => !named.includes(`\`${name}\``))).toEqual([]);
  const { dependencies } = JSON.parse(read("package.json")) as { dependencies: Record<string, string> };
  // What a package's name gives away, so that a new one is not forgotten above.
  const suspicious = Object.keys(dependencies).filter((name) =>
    /crypt|cipher|hash|hmac|jwt|jose|sign|hpke|otp|webauthn|webhook|openid|noble|sodium|nacl/.test(name),
  );
  expect(suspicious.filter((name) => !LIBRARIES.includes(name))).toEqual([]);
});
