// The steps of the release workflow that publish, as they stand there, on files and a registry of this test.
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { testWith } from "../machine/skips.ts";
import { nodePath } from "../support/runtimes.ts";
import { makeTempFolder } from "../support/temp-folder.ts";
import { environment } from "./packages/support/install.ts";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DIGEST = `sha256:${"0a".repeat(32)}`;
const INDEX = "application/vnd.oci.image.index.v1+json";
const MANIFEST = "application/vnd.oci.image.manifest.v1+json";

interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly run?: string;
}

/** What a step runs. */
function scriptOf(job: string, step: string): string {
  const { jobs } = parse(readFileSync(join(ROOT, ".github/workflows/release.yml"), "utf8")) as {
    jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
  };
  return jobs[job]?.steps.find(({ name, id }) => name === step || id === step)?.run ?? "";
}

/** Runs a step as the forge does. Rejects where the step fails. */
function runStep([job, step]: readonly [string, string], cwd: string, env: Record<string, string>) {
  const shell = ["--noprofile", "--norc", "-eo", "pipefail", "-c", scriptOf(job, step)];
  return run("bash", shell, { cwd, env: { ...environment(), ...env } });
}

function sha256(data: Uint8Array | string): string {
  return createHash("sha256").update(data).digest("hex");
}

/** Files as the job `build` leaves them, and the digests that it tells. */
async function build(): Promise<{ files: string; digests: string }> {
  const files = makeTempFolder();
  const output = join(makeTempFolder(), "output");
  const source = join(makeTempFolder(), "a");
  mkdirSync(source);
  mkdirSync(join(files, "packages"));
  const scripts = Object.fromEntries(
    ["prepack", "prepublishOnly", "publish"].map((name) => [name, `touch ${join(files, name)}`]),
  );
  // As ours, whose scripts run where one is published from a clone.
  const publishConfig = { access: "public", "ignore-scripts": false };
  const manifest = { name: "@hushkit/a", version: "1.0.0", scripts, publishConfig };
  writeFileSync(join(source, "package.json"), JSON.stringify(manifest));
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", join(files, "packages")], {
    cwd: source,
    env: { ...process.env, ...environment() },
  });
  for (const name of ["hushkit-linux-x64", "hushkit-1.0.0.tgz", "hushkit.cdx.json", "image.tar", "site.tar"])
    writeFileSync(join(files, name), name);
  await runStep(["build", "digests"], files, { GITHUB_OUTPUT: output });
  const [, digests = ""] = /^digests<<SUMS\n([^]*)\nSUMS\n$/.exec(readFileSync(output, "utf8")) ?? [];
  // An artifact has the files, and not the list.
  rmSync(join(files, "SHA256SUMS"));
  return { files, digests };
}

testWith("bash", "sha256sum")("files go on as they were built, and no others", async () => {
  const { files, digests } = await build();
  const verify = () => runStep(["publish", "verify"], files, { DIGESTS: digests });
  expect(digests.split("\n")).toHaveLength(6);
  expect((await verify()).stdout).toContain("packages/hushkit-a-1.0.0.tgz: OK");
  writeFileSync(join(files, "packages/another-1.0.0.tgz"), "added on the way");
  await expect(verify()).rejects.toMatchObject({ stdout: expect.stringContaining("another-1.0.0.tgz\n") });
  rmSync(join(files, "packages/another-1.0.0.tgz"));
  await verify();
  appendFileSync(join(files, "packages/hushkit-a-1.0.0.tgz"), "changed");
  await expect(verify()).rejects.toThrow("1 computed checksum did NOT match");
});

/** A registry that knows no package and takes each. */
async function startRegistry() {
  const published: { path: string; data: Uint8Array }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      response.writeHead(request.method === "PUT" ? 201 : 404, { "content-type": "application/json" });
      response.end("{}");
      if (request.method !== "PUT") return;
      // npm sends the file in the document of its package.
      const { _attachments } = JSON.parse(Buffer.concat(chunks).toString()) as {
        _attachments: Record<string, { data: string }>;
      };
      const [attached] = Object.values(_attachments);
      published.push({ path: request.url ?? "", data: Buffer.from(attached?.data ?? "", "base64") });
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  // It listens on an address of IP.
  return { published, host: `127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

testWith("bash", "sha256sum")("npm is sent the very files, and no script of a package runs", async () => {
  const { files } = await build();
  const { published, host } = await startRegistry();
  const config = join(makeTempFolder(), "npmrc");
  writeFileSync(config, `//${host}:_authToken=made-for-this-test\n`);
  const env = { NPM_CONFIG_REGISTRY: `http://${host}`, NPM_CONFIG_USERCONFIG: config };
  await runStep(["publish", "packages"], files, env);
  expect(published.map(({ path }) => path)).toEqual(["/@hushkit%2fa"]);
  const sent = readFileSync(join(files, "packages/hushkit-a-1.0.0.tgz"));
  expect(published.map(({ data }) => sha256(data))).toEqual([sha256(sent)]);
  for (const script of ["prepack", "prepublishOnly", "publish"])
    expect([script, existsSync(join(files, script))]).toEqual([script, false]);
});

test("the chart that is packed names the image by its digest", () => {
  const folder = makeTempFolder();
  cpSync(join(ROOT, "release/chart"), join(folder, "release/chart"), { recursive: true });
  const [write = ""] = scriptOf("build", "chart").split("\n");
  execFileSync("sh", ["-c", write], { cwd: folder, env: { ...environment(), DIGEST } });
  const values = parse(readFileSync(join(folder, "release/chart/values.yaml"), "utf8")) as {
    image: { digest: string };
  };
  expect(values.image.digest).toBe(DIGEST);
});

/** Writes an OCI archive as BuildKit does: an image for one machine, and beside it what it was built of. */
function writeArchive(folder: string, architecture: string): string {
  const blobs = join(folder, architecture, "blobs/sha256");
  mkdirSync(blobs, { recursive: true });
  const store = (value: object, mediaType: string) => {
    const text = JSON.stringify(value);
    writeFileSync(join(blobs, sha256(text)), text);
    return { mediaType, digest: `sha256:${sha256(text)}`, size: text.length };
  };
  const manifests = [
    { ...store({ architecture }, MANIFEST), platform: { os: "linux", architecture } },
    { ...store({ of: architecture }, MANIFEST), platform: { os: "unknown", architecture: "unknown" } },
  ];
  const index = store({ schemaVersion: 2, mediaType: INDEX, manifests }, INDEX);
  const write = (name: string, value: object) =>
    writeFileSync(join(folder, architecture, name), JSON.stringify(value));
  write("index.json", { schemaVersion: 2, manifests: [index] });
  write("oci-layout", { imageLayoutVersion: "1.0.0" });
  const archive = join(folder, `${architecture}.tar`);
  execFileSync("tar", ["-cf", archive, "-C", join(folder, architecture), "."]);
  return archive;
}

test("the images of all machines become one, with what each was built of", () => {
  const folder = makeTempFolder();
  const archives = ["amd64", "arm64"].map((architecture) => writeArchive(folder, architecture));
  const joined = join(folder, "image.tar");
  const args = ["--no-warnings", join(ROOT, "release/join-images.ts"), joined, ...archives];
  const digest = execFileSync(nodePath(), args, { encoding: "utf8" }).trim();
  const unpacked = join(folder, "joined");
  mkdirSync(unpacked);
  execFileSync("tar", ["-xf", joined, "-C", unpacked]);
  const read = (path: string) => readFileSync(join(unpacked, path), "utf8");
  const manifestsOf = (path: string) =>
    (JSON.parse(read(path)) as { manifests: { digest: string; platform?: object }[] }).manifests;
  expect(manifestsOf("index.json").map((each) => each.digest)).toEqual([digest]);
  const path = `blobs/${digest.replace(":", "/")}`;
  expect(`sha256:${sha256(read(path))}`).toBe(digest);
  const unknown = { os: "unknown", architecture: "unknown" };
  expect(manifestsOf(path).map((each) => each.platform)).toEqual([
    { os: "linux", architecture: "amd64" },
    unknown,
    { os: "linux", architecture: "arm64" },
    unknown,
  ]);
  for (const each of manifestsOf(path))
    expect(`sha256:${sha256(read(`blobs/${each.digest.replace(":", "/")}`))}`).toBe(each.digest);
  expect(read("oci-layout")).toBe('{"imageLayoutVersion":"1.0.0"}');
});
