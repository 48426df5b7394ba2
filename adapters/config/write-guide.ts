// Updates the settings in docs/operations.md and in the chart: run `npm run settings` after changing a variable.
import { readFileSync, writeFileSync } from "node:fs";
import { withNames, withSettings } from "./guide.ts";

rewrite("docs/operations.md", withSettings);
rewrite("release/chart/values.schema.json", withNames);

function rewrite(path: string, change: (text: string) => string): void {
  const file = new URL(`../../${path}`, import.meta.url);
  writeFileSync(file, change(readFileSync(file, "utf8")));
}
