import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import about from "../../package.json" with { type: "json" };

const PAGE = "index.html";
/** Scripts and styles that the page itself names. */
const NAMED = /<(?:script|link)\b[^>]*?\b(?:src|href)="\.\/([^"]+\.(?:js|css))"/g;

/** Writes into the page what its scripts and styles have to be, and of which release and which bytes the pages are. */
export function sealPages(folder: string): void {
  const page = readFileSync(`${folder}/${PAGE}`, "utf8");
  const sealed = page
    .replace(NAMED, (tag, name: string) => `${tag} integrity="${integrityOf(`${folder}/${name}`)}"`)
    .replace(
      'name="release" content=""',
      () => `name="release" content="${about.version} ${digestPages(folder)}"`,
    );
  writeFileSync(`${folder}/${PAGE}`, sealed);
}

function integrityOf(path: string): string {
  return `sha384-${createHash("sha384").update(readFileSync(path)).digest("base64")}`;
}

/** A digest of all files but the page that it stands in; that one names it, and is compared as a whole. */
function digestPages(folder: string): string {
  const hash = createHash("sha256");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
    name.replaceAll("\\", "/"),
  );
  for (const name of names.filter((each) => each !== PAGE && /\.[a-z0-9]+$/.test(each)).sort())
    hash.update(`${name}\n`).update(
      createHash("sha256")
        .update(readFileSync(`${folder}/${name}`))
        .digest(),
    );
  return hash.digest("hex");
}
