// node release/join-images.ts TO FROM…: makes one OCI archive of those that `docker buildx build --output type=oci` wrote
// for each architecture, and prints its digest. A registry then gives each machine its own (OCI image layout 1.0).
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const INDEX = "application/vnd.oci.image.index.v1+json";

interface Descriptor {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
}

interface Index {
  readonly manifests: readonly Descriptor[];
}

const [to = "", ...archives] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "hushkit-image-"));
try {
  // An image, and beside it what it was built of and what is inside.
  const joined = store({
    schemaVersion: 2,
    mediaType: INDEX,
    manifests: archives.flatMap((archive) => unpack(archive)),
  });
  // What each archive said of itself, in the place of which this stands.
  write("index.json", { schemaVersion: 2, mediaType: INDEX, manifests: [joined] });
  execFileSync("tar", ["-cf", to, "-C", folder, "blobs", "index.json", "oci-layout"]);
  console.log(joined.digest);
} finally {
  rmSync(folder, { recursive: true });
}

/** Puts the blobs of an archive beside those of the others. Answers the manifests of its one index. */
function unpack(archive: string): readonly Descriptor[] {
  execFileSync("tar", ["-xf", archive, "-C", folder]);
  const { manifests } = read("index.json");
  const [image] = manifests;
  if (manifests.length !== 1 || image?.mediaType !== INDEX)
    throw new Error("Each archive must hold one image, with its provenance.");
  return read(pathOf(image.digest)).manifests;
}

function store(index: object): Descriptor {
  const bytes = Buffer.from(JSON.stringify(index));
  const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  writeFileSync(join(folder, pathOf(digest)), bytes);
  return { mediaType: INDEX, digest, size: bytes.length };
}

function pathOf(digest: string): string {
  return `blobs/${digest.replace(":", "/")}`;
}

function read(path: string): Index {
  // Written by BuildKit.
  return JSON.parse(readFileSync(join(folder, path), "utf8")) as Index;
}

function write(path: string, value: object): void {
  writeFileSync(join(folder, path), JSON.stringify(value));
}
