import { defineConfig } from "vitest/config";
import { findMachine } from "./test/machine/things.ts";

// Two cores: a third file at once made the whole suite slower, not faster.
const MAX_WORKERS = 2;

/** Browsers, generated clients, servers, races and files made to harm: minutes that a commit need not wait for. */
const SLOW = [
  "test/{attacks,generators,hostile,machine,packages,process,web}/**/*.test.ts",
  "test/{recipes,router/locked-limit}.test.ts",
  "test/adapters/{http/connections,rest/statuses}.test.ts",
  "test/cli/{exit-codes,files,lost-answers,process,transfers}.test.ts",
  "test/db/{secrets/race,failures/{killed,locked-table,power-loss,unavailable}}.test.ts",
  "test/adapters/workers/{worker-pool,workers}.test.ts",
  "test/adapters/operations/health.test.ts",
  "test/tools/crypto/file-encrypt.test.ts",
  "test/tools/text/text-compare-{bounds,patch,invariants,sources}.test.ts",
];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: MAX_WORKERS,
    // Found once for all files; `test/machine/skips.ts` leaves out what the machine lacks.
    provide: { machine: await findMachine() },
    reporters: ["default", "./test/machine/report.ts"],
    projects: [
      {
        extends: true,
        // Modules are loaded once for all files, which takes half of the time.
        test: { name: "quick", include: ["test/**/*.test.ts"], exclude: SLOW, isolate: false },
      },
      { extends: true, test: { name: "slow", include: SLOW } },
    ],
  },
});
