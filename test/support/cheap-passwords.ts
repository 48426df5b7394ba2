// Passwords as cheap as those of the harness, for files that open a service as a program does. Imported before all else
// of this project, it stands before what it changes; only for files whose modules are their own.
import { vi } from "vitest";

vi.mock(import("../../adapters/workers/passwords.ts"), async (load) => {
  const { createPasswords } = await load();
  return {
    createPasswords: (options) =>
      createPasswords({ ...options, cost: options.cost ?? { ln: 4, r: 8, p: 1 } }),
  };
});
