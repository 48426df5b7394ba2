// Writes the settings in docs/operations.md anew: `npm run settings`, after a variable has changed.
import { readFileSync, writeFileSync } from "node:fs";
import { withSettings } from "./guide.ts";

const guide = new URL("../../docs/operations.md", import.meta.url);
writeFileSync(guide, withSettings(readFileSync(guide, "utf8")));
