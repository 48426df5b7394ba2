import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../adapters/config/config.ts";
import { createHealth, healthRoutes } from "../adapters/operations/health.ts";
import { readRecipes } from "./support/recipes.ts";
import { testWith } from "./machine/skips.ts";
import { makeTempFolder } from "./support/temp-folder.ts";

const MS = 60_000;

/** The blocks of a language in the guide. */
function configurations(language: string): string[] {
  return readRecipes("operations.md")
    .filter((block) => block.language === language)
    .map(({ code }) => code);
}

/** What a program says on both of its outputs. */
function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  const options = { encoding: "utf8", env: { ...process.env, ...env }, timeout: MS } as const;
  const { stdout, stderr } = spawnSync(command, args, options);
  return stdout + stderr;
}

/** nginx takes `http2 on` from 1.25.1 on; the guide says what older ones take. */
function forThisNginx(configuration: string): string {
  const [, minor = 0] = /nginx\/1\.(\d+)/.exec(run("nginx", ["-v"])) ?? [];
  if (Number(minor) >= 25) return configuration;
  return configuration.replace(/^ *http2 on;.*\n/m, "").replaceAll(/443 ssl;/g, "443 ssl http2;");
}

testWith("nginx", "openssl")("the guide's nginx configurations are legal", () => {
  const folder = makeTempFolder();
  const place = (path: string) => join(folder, path);
  const certificate = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=hush.example"];
  run("openssl", [...certificate, "-keyout", place("hush.example.key"), "-out", place("hush.example.pem")]);
  const [site = "", location = "", rolling = ""] = configurations("nginx");
  const both = forThisNginx(site).replace(/^}\n$/m, `${location}}\n`);
  // Only root may listen on these ports, and write where nginx keeps what is temporary.
  const http = both
    .replaceAll("/etc/ssl/", `${folder}/`)
    .replaceAll("/var/log/nginx/", `${folder}/`)
    .replaceAll(/\blisten (\[::\]:)?(80|443)\b/g, "listen $110$2");
  const temporary = (configuration: string) =>
    ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .filter((name) => !configuration.includes(`${name}_temp_path`))
      .map((name) => `${name}_temp_path ${place(name)};\n`)
      .join("");
  const head = `pid ${place("pid")}; error_log ${place("log")}; events {}\n`;
  writeFileSync(place("nginx.conf"), `${head}http {\n${temporary(http)}${http}}\n`);
  expect(http).toContain("location /hush/");
  const judge = () => run("nginx", ["-t", "-p", folder, "-c", place("nginx.conf")]);
  expect(judge()).toContain("test is successful");
  expect(judge()).not.toContain("[warn]");
  const several = rolling.replace("/dev/shm/", `${folder}/`) + http.replace(/^upstream .*?^}\n/ms, "");
  writeFileSync(place("nginx.conf"), `${head}http {\n${temporary(several)}${several}}\n`);
  expect(judge()).toContain("test is successful");
});

testWith("caddy")("the guide's Caddy configurations are legal", () => {
  const folder = makeTempFolder();
  const [site = "", part = "", rolling = ""] = configurations("caddy");
  const text = `${site}\nhome.example {\n${part}}\n`;
  expect(text).toContain("handle /hush/*");
  const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const args = ["--config", join(folder, "Caddyfile"), "--adapter", "caddyfile"];
  for (const each of [text, rolling]) {
    writeFileSync(join(folder, "Caddyfile"), each);
    expect(run("caddy", ["validate", ...args], home)).toContain("Valid configuration");
  }
});

testWith("systemd-analyze")("systemd knows every line of the guide's units", () => {
  const folder = makeTempFolder();
  const files = configurations("ini").map((unit) => {
    const [, name = "hushkit.service"] = /^# \/etc\/systemd\/system\/(\S+)/.exec(unit) ?? [];
    writeFileSync(join(folder, name), unit.replace("/usr/bin/node", `"${process.execPath}"`));
    return join(folder, name);
  });
  const said = run("systemd-analyze", ["verify", "--man=no", ...files]);
  expect(said.split("\n").filter((line) => line.includes("hushkit"))).toEqual([]);
});

testWith("systemd-analyze")("the guide's unit leaves the service little to attack", () => {
  const folder = makeTempFolder();
  const [unit = ""] = configurations("ini");
  writeFileSync(join(folder, "hushkit.service"), unit.replace("/usr/bin/node", `"${process.execPath}"`));
  const args = ["security", "--offline=true", "--no-pager", join(folder, "hushkit.service")];
  const said = run("systemd-analyze", args);
  const [, exposure = "10"] = /Overall exposure level for \S+: ([\d.]+)/.exec(said) ?? [];
  expect(Number(exposure)).toBeLessThan(1.6);
});

test("the guide has a configuration of each kind", () => {
  expect(["nginx", "caddy", "ini"].map((language) => configurations(language).length)).toEqual([3, 3, 3]);
});

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

/** NAME=value after a word at the beginning of a line, as `ENV` and `Environment=`. */
function settingsAfter(word: string, text: string): Record<string, string> {
  const lines = [...text.matchAll(new RegExp(`^${word}(.*)$`, "gm"))].flatMap(([, line = ""]) =>
    line.split(" "),
  );
  return Object.fromEntries(lines.map((line) => line.split("=", 2)));
}

interface Service {
  readonly environment: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
  readonly networks: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: object;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks: object;
  readonly volumes: object;
}

/** As compose fills it in: what stands after ":-", or the value that `.env` has to give. */
function filledIn(text: string): string {
  return text.replace(/\$\{(\w+)(:-|:\?)([^}]*)\}/g, (_, name: string, kind: string, rest: string) =>
    kind === ":-" ? rest : name === "PUBLIC_URL" ? "https://hush.example" : "letters",
  );
}

test("the compose file declares all that it names, and the server takes its settings", () => {
  const { services, networks, volumes }: Compose = parse(read("compose.yaml"));
  for (const service of Object.values(services)) {
    for (const [name, { condition }] of Object.entries(service.depends_on ?? {}))
      expect([services[name]?.healthcheck !== undefined, condition]).toEqual([true, "service_healthy"]);
    expect(Object.keys(networks)).toEqual(expect.arrayContaining([...service.networks]));
    const places = (service.volumes ?? []).map((volume) => volume.split(":")[0]);
    expect(Object.keys(volumes)).toEqual(expect.arrayContaining(places));
  }
  const { server } = services;
  const filled = Object.entries(server?.environment ?? {}).map(([name, text]) => [name, filledIn(text)]);
  const { publicUrl, databaseUrl } = readConfig(Object.fromEntries(filled) as Record<string, string>);
  expect(publicUrl).toBe("https://hush.example");
  expect(Object.keys(services)).toContain(new URL(databaseUrl).hostname);
  expect(server?.ports).toEqual(["127.0.0.1:3000:3000"]);
});

test("images are pinned by digest, actions by commit, each with its version beside", () => {
  const dockerfile = read("Dockerfile");
  const stages = [...dockerfile.matchAll(/ AS (\w+)$/gm)].map(([, name]) => name);
  const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image = ""]) => image);
  const images = [...read("compose.yaml").matchAll(/^ *image: (\S+)$/gm)].map(([, image = ""]) => image);
  const foreign = [...bases.filter((image) => !stages.includes(image)), ...images];
  expect(foreign).toHaveLength(3);
  for (const image of foreign) expect(image).toMatch(/^\w+:\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/);
  for (const workflow of readdirSync(new URL("../.github/workflows", import.meta.url))) {
    const actions = [...read(`.github/workflows/${workflow}`).matchAll(/uses: (.*)$/gm)];
    expect(actions.length).toBeGreaterThan(0);
    for (const [, action] of actions) expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  }
});

test("the Dockerfile copies what there is, listens where it says, and asks a path that answers", () => {
  const text = read("Dockerfile");
  const { port, host } = readConfig(settingsAfter("ENV ", text));
  expect([port, host]).toEqual([3000, "0.0.0.0"]);
  expect(text).toContain(`\nEXPOSE ${port}\n`);
  const copied = [...text.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, files = ""]) =>
    files.split(" "),
  );
  expect(copied).toContain("bin/start.mjs");
  for (const file of copied) expect(existsSync(new URL(`../${file}`, import.meta.url)), file).toBe(true);
  const [, asked] = /process\.env\.PORT \+ '(\/\w+)'/.exec(text) ?? [];
  const health = createHealth({ version: "", probes: {} });
  expect(healthRoutes(health).map(({ path }) => path)).toContain(asked);
});

test("the server takes the settings of the guide's unit", () => {
  const [unit = ""] = configurations("ini");
  const config = readConfig(settingsAfter("Environment=", unit));
  expect(config).toMatchObject({ publicUrl: "https://hush.example", trustProxy: { hops: 1 } });
});
