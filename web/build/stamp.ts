import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = new URL("../../", import.meta.url);
/** The rooms that the pages are built from. */
const ROOMS = ["web", "tools", "wire", "client"];

/** The folder of the built pages, and its file with the digest of their sources. */
export const DIST = fileURLToPath(new URL("web/dist/pages", ROOT));
export const STAMP = "stamp.txt";

/** A digest of everything that the pages are built from, or of the sources in other rooms. */
export async function digestSources(rooms: readonly string[] = ROOMS): Promise<string> {
  const hash = createHash("sha256");
  const lists = await Promise.all(rooms.map(sourcesOf));
  for (const name of [...lists.flat(), "package-lock.json"]) {
    hash.update(`${name}\n`).update(await readFile(new URL(name, ROOT)));
  }
  return hash.digest("hex");
}

/** The digest of the sources that the current pages were built from. */
export function readStamp(): string | undefined {
  const path = `${DIST}/${STAMP}`;
  return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

async function sourcesOf(room: string): Promise<string[]> {
  const names = await readdir(new URL(`${room}/`, ROOT), { recursive: true });
  return names
    .map((name) => `${room}/${name.replaceAll("\\", "/")}`)
    .filter((name) => /\.[a-z]+$/.test(name) && !/^\w+\/dist\//.test(name))
    .sort();
}

/** Removes what builders have left that were ended in the middle, as a server does that stops. */
export function removeLeftovers(): void {
  const place = dirname(DIST);
  const names = existsSync(place) ? readdirSync(place) : [];
  for (const name of names) {
    const [, pid] = /^fresh\.(\d+)/.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(place, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}
