import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Thing } from "../../machine/things.ts";
import { placeOf } from "../../machine/skips.ts";

const JAVA_SOURCE = fileURLToPath(new URL("Unzip.java", import.meta.url));

/** How other programs take a ZIP apart; bsdtar and Java read it forward, as it comes. */
const ARGUMENTS = {
  unzip: { args: (zip, folder) => ["-qq", zip, "-d", folder], isPiped: false },
  python3: { args: (zip, folder) => ["-m", "zipfile", "-e", zip, folder], isPiped: false },
  "7-Zip": { args: (zip, folder) => ["x", "-bd", `-o${folder}`, zip], isPiped: false },
  bsdtar: { args: (_, folder) => ["-x", "-f", "-", "-C", folder], isPiped: true },
  "a JDK": { args: (_, folder) => [JAVA_SOURCE, folder], isPiped: true },
} satisfies Partial<Record<Thing, { args: (zip: string, folder: string) => string[]; isPiped: boolean }>>;

export type Unzipper = keyof typeof ARGUMENTS;

export const UNZIPPERS = Object.keys(ARGUMENTS) as readonly Unzipper[];

/** Takes a ZIP apart into a folder that exists. Throws what the program says where it refuses the ZIP. */
export function unzipBy(program: Unzipper, { zip, folder }: { zip: string; folder: string }): void {
  const { args, isPiped } = ARGUMENTS[program];
  const input = isPiped ? readFileSync(zip) : "";
  const env = { ...process.env, LC_ALL: "C.UTF-8", PYTHONUTF8: "1" };
  execFileSync(placeOf(program), args(zip, folder), { env, input, stdio: "pipe" });
}
