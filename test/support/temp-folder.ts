import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished as ofTheOnlyTest } from "vitest";

/** A folder for the test that is running; it is deleted when the test ends. One of several at a time passes its own. */
export function makeTempFolder(onTestFinished = ofTheOnlyTest): string {
  const folder = mkdtempSync(join(tmpdir(), "hushkit-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
