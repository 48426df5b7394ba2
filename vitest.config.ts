import { defineConfig } from "vitest/config";

// Two cores: a third file at once made the whole suite slower, not faster.
const MAX_WORKERS = 2;

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: MAX_WORKERS,
    reporters: ["default", "./test/closing-line.ts"],
  },
});
