// Runs before each file, also where modules are loaded once for many: a hook of a module would be that of the first file.
import { afterAll } from "vitest";
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

declare module "vitest" {
  interface TaskMeta {
    /** What a file used, with all it started; only Linux tells. */
    processorSeconds?: number;
  }
}
