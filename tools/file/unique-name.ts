import { addToStem } from "./file-name.ts";

/**
 * Gives a name that none of `taken` has, and adds it there in lower case: names that differ in case only are one file on
 * many systems. Of equal names the later get a number, as in `a-2.txt`.
 */
export function uniqueName(name: string, taken: Set<string>): string {
  let unique = name;
  for (let i = 2; taken.has(unique.toLowerCase()); i++) unique = addToStem(name, `-${i}`);
  taken.add(unique.toLowerCase());
  return unique;
}
