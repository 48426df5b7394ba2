import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { nodePath } from "../../support/runtimes.ts";

test("schemas that are made for each request leave nothing behind", () => {
  const program = fileURLToPath(new URL("./many-schemas.ts", import.meta.url));
  const options = { encoding: "utf8", timeout: 120_000 } as const;
  const grown = execFileSync(nodePath(), ["--no-warnings", "--expose-gc", program], options);
  // 30 of 100,000 characters each.
  expect(Number(grown)).toBeLessThan(1_000_000);
});
