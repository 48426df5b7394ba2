import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

const ROOT = new URL("../../", import.meta.url);
/** What the pages are made of: their own files, and the rooms they import. */
const ROOMS = ["web", "tools", "wire", "client"];

/** A digest of everything the pages are built from; built pages keep it, so that an update is noticed. */
export async function pagesStamp(): Promise<string> {
  const hash = createHash("sha256");
  const lists = await Promise.all(ROOMS.map(sourcesOf));
  for (const name of [...lists.flat(), "package-lock.json"]) {
    hash.update(`${name}\n`).update(await readFile(new URL(name, ROOT)));
  }
  return hash.digest("hex");
}

async function sourcesOf(room: string): Promise<string[]> {
  const names = await readdir(new URL(`${room}/`, ROOT), { recursive: true });
  return names
    .map((name) => `${room}/${name.replaceAll("\\", "/")}`)
    .filter((name) => /\.[a-z]+$/.test(name) && !name.startsWith("web/dist"))
    .sort();
}
