// `npm run notices` writes the NOTICE of each package, from what its bundles hold; an argument is the URL of a folder
// that has theirs.
import { writeFileSync } from "node:fs";
import { PACKAGE_NAMES, PACKAGES, ROOT } from "../packages.ts";
import { writeNotice } from "./notice.ts";

const [folder = ROOT] = process.argv.slice(2);
for (const name of PACKAGE_NAMES)
  writeFileSync(new URL(`${PACKAGES[name]}NOTICE`, folder), await writeNotice(name));
