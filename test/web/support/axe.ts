import { readFileSync } from "node:fs";

const AXE = readFileSync(new URL("../../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * A script that resolves to what axe finds on the page, a line for each element. What moves is ended first: a color
 * half-way is no fault.
 */
export const FIND_FAULTS = `(async () => {
  ${AXE};
  for (const animation of document.getAnimations())
    if (animation.effect.getComputedTiming().endTime !== Infinity) animation.finish();
  const rules = { "label-content-name-mismatch": { enabled: true } };
  const { violations } = await axe.run(document, { runOnly: { type: "tag", values: ${JSON.stringify(TAGS)} }, rules });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html));
})()`;
