// What is in a bundle beside the libraries that npm knows: their machine code, and lists in our own sources.
import { readFileSync } from "node:fs";

/** A part of a package that somebody else has made. */
export interface Work {
  readonly name: string;
  /** By its SPDX name. */
  readonly license: string;
  /** Where its source is. */
  readonly source: string;
  readonly text: string;
}

const CC_BY = "The words are sorted; nothing else was changed. https://creativecommons.org/licenses/by/3.0/";

/** By the library that they are compiled into, and by the module of ours that has them. */
export const OTHERS: Readonly<Record<string, readonly Work[]>> = {
  "@jsquash/avif": [
    {
      name: "libavif",
      license: "BSD-2-Clause",
      source: "https://github.com/AOMediaCodec/libavif",
      text: licence("libavif"),
    },
    {
      name: "libaom",
      license: "BSD-2-Clause",
      source: "https://aomedia.googlesource.com/aom/",
      text: licence("libaom"),
    },
    webp("libsharpyuv"),
  ],
  "@jsquash/webp": [webp("libwebp")],
  "libheif-js": [
    {
      name: "libheif and libde265",
      license: "LGPL-3.0",
      source: "https://github.com/strukturag/libheif, https://github.com/strukturag/libde265",
      text: licence("GPL-3.0"),
    },
  ],
  "web/main.tsx": [
    {
      name: "Figtree",
      license: "OFL-1.1",
      source: "https://github.com/erikdkennedy/figtree",
      text: licence("figtree"),
    },
  ],
  "router/accounts/common-passwords.json": [
    {
      name: "List of the most used passwords, NCSC and Have I Been Pwned, from SecLists",
      license: "MIT",
      source: "https://github.com/danielmiessler/SecLists",
      text: licence("seclists"),
    },
  ],
  "tools/passwords/large-list.json": [
    {
      name: "Large word list for passphrases, Electronic Frontier Foundation, 2016",
      license: "CC-BY-3.0-US",
      source: "https://www.eff.org/dice",
      text: CC_BY.replace("3.0/", "3.0/us/"),
    },
  ],
  "tools/passwords/german-list.json": [
    {
      name: "German word list of diceware, Uli Fouquet, 2021",
      license: "CC-BY-3.0",
      source: "https://github.com/ulif/diceware",
      text: CC_BY,
    },
  ],
};

function webp(name: string): Work {
  const source = "https://chromium.googlesource.com/webm/libwebp";
  return { name, license: "BSD-3-Clause", source, text: licence("libwebp") };
}

function licence(name: string): string {
  return readFileSync(new URL(`licences/${name}.txt`, import.meta.url), "utf8").trim();
}
