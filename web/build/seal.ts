import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { minifySync } from "vite";
import about from "../../package.json" with { type: "json" };

/** The page behind a link to a secret, and the one for everything else. */
const PAGES = ["link.html", "index.html"];
/** Scripts and styles that the page itself names. */
const NAMED = /<(?:script|link)\b[^>]*?\b(?:src|href)="\.\/([^"]+\.(?:js|css))"/g;

/** The page includes its own style, and what runs first, so that a browser shows it without further requests. */
const STYLE = /<link rel="stylesheet"[^>]*? href="\.\/([^"]+)">/g;
const FIRST = new URL("../first.js", import.meta.url);

/** Writes into each page the digests of its scripts and styles, the release, and a digest of all pages. */
export function sealPages(folder: string): void {
  const release = `${about.version} ${digestPages(folder)}`;
  for (const name of PAGES) {
    const page = readFileSync(`${folder}/${name}`, "utf8").replaceAll(/\s+/g, " ");
    const first = minifySync("first.js", readFileSync(FIRST, "utf8")).code.trim();
    const sealed = page
      .replace("<!--first-->", () => `<script>${first}</script>`)
      .replace(STYLE, (_, file: string) => `<style>${styleIn(folder, file)}</style>`)
      .replace(NAMED, (tag, file: string) => `${tag} integrity="${integrityOf(`${folder}/${file}`)}"`)
      .replace('name="release" content=""', () => `name="release" content="${release}"`);
    writeFileSync(`${folder}/${name}`, sealed);
  }
}

/** A style sheet for inclusion in a page, with its references adjusted. */
export function styleIn(folder: string, file: string): string {
  const style = readFileSync(`${folder}/${file}`, "utf8").trim();
  return style.replaceAll("url(./", `url(./${file.replace(/[^/]+$/, "")}`);
}

function integrityOf(path: string): string {
  return `sha384-${createHash("sha384").update(readFileSync(path)).digest("base64")}`;
}

/** A digest of all files except the pages that contain it; those name it, and are compared as a whole. */
function digestPages(folder: string): string {
  const hash = createHash("sha256");
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) =>
    name.replaceAll("\\", "/"),
  );
  for (const name of names.filter((each) => !PAGES.includes(each) && /\.[a-z0-9]+$/.test(each)).sort())
    hash.update(`${name}\n`).update(
      createHash("sha256")
        .update(readFileSync(`${folder}/${name}`))
        .digest(),
    );
  return hash.digest("hex");
}
