// Runs before each file, also where modules are loaded once for many: a hook of a module would be that of the first file.
import { afterAll } from "vitest";
import { atEnd } from "../support/at-end.ts";

afterAll(async () => {
  for (const end of atEnd) await end();
  atEnd.clear();
});
