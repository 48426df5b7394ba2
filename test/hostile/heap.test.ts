// slow
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { nodePath } from "../support/runtimes.ts";

const PROGRAM = fileURLToPath(new URL("files/on-small-heap.ts", import.meta.url));

// Deno and Bun have no such limit; the code is the same.
test.each([
  ["metadata of 40 MB", "metadata"],
  ["two million properties in them", "properties"],
  ["an address of 24 MB", "address"],
])("a PDF with %s takes no more heap than a few times that", async (_, kind) => {
  const args = ["--no-warnings", "--max-old-space-size=320", PROGRAM, kind];
  const { stdout } = await promisify(execFile)(nodePath(), args);
  expect(stdout).toBe("done\n");
});
