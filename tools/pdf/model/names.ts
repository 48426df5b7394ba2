import { hexString, stringBytes } from "../syntax/strings.ts";
import { isString, type PdfString, type Value } from "../syntax/values.ts";

/** A name that is not yet taken: "name", "name_2", "name_3" …; it is taken from then on. */
export function uniqueName(name: string, taken: Set<string>): string {
  let unique = name;
  for (let i = 2; taken.has(unique); i++) unique = `${name}_${i}`;
  taken.add(unique);
  return unique;
}

/** Appends a suffix as the text is encoded: two bytes a character after a byte order mark. */
export function withSuffix(text: Value | undefined, suffix: string): PdfString {
  const bytes = isString(text) ? stringBytes(text) : new Uint8Array(0);
  const isWide = bytes[0] === 0xfe && bytes[1] === 0xff;
  const tail = [...suffix].flatMap((character) =>
    isWide ? [0, character.charCodeAt(0)] : [character.charCodeAt(0)],
  );
  return hexString(Uint8Array.of(...bytes.subarray(0, 1000), ...tail));
}
