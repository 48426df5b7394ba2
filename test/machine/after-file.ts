// Runs before each file, also where modules are loaded once for many: a hook of a module would be that of the first file.
import { afterAll, afterEach, beforeEach } from "vitest";
import { atEnd } from "../support/at-end.ts";
import { processorSeconds } from "./processor.ts";

const before = processorSeconds();

// oxlint-disable-next-line no-empty-pattern -- Vitest reads from this place which of its fixtures are wanted.
afterAll(async ({}, { file }) => {
  for (const end of atEnd) await end();
  atEnd.clear();
  const now = processorSeconds();
  if (before !== undefined && now !== undefined) file.meta.processorSeconds = now - before;
});

// It takes milliseconds to ask, which is much for thousands of tests.
if (process.env["TEST_DRAW"] === "measure") {
  let began: number | undefined;
  beforeEach(() => void (began = processorSeconds()));
  afterEach(({ task }) => {
    const now = processorSeconds();
    if (began !== undefined && now !== undefined) task.meta.processorSeconds = now - began;
  });
}

declare module "vitest" {
  interface TaskMeta {
    /** What a file used, or a test where that is measured, with all it started; only Linux tells. */
    processorSeconds?: number;
  }
}
