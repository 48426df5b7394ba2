import { entriesOf } from "../app/entries.ts";
import { fill, words, type WarningName } from "../app/words.ts";

/** The warnings of the tools, which the API says in English, by the name of their words. */
const WARNINGS: Readonly<Record<WarningName, RegExp>> = {
  rebuilt: /^The cross-reference of the document was damaged/,
  signatures: /^Signatures of the documents? no longer hold/,
  xfa: /^(The )?XML forms? \(XFA\)/,
  threads: /^Article threads/,
  attachments: /^Attachments were left out/,
  scripts: /^Scripts were left out/,
  tags: /^The tags of one document/,
  firstFrame: /^Only the first of (?<count>\d+) frames/,
  firstPicture: /^Only the first picture/,
  fewerBits: /^The 16 bits of each channel/,
  gainMap: /^The gain map/,
};

/** A tool's warning in the chosen language; one that is not known yet stays as it is. */
export function formatWarning(warning: string): string {
  for (const [name, text] of entriesOf(words().warnings)) {
    const match = WARNINGS[name].exec(warning);
    if (match) return fill(text, match.groups ?? {});
  }
  return warning;
}
