// Where the executable begins. It is its own worker: the path of the worker as first argument says so.
import { fileURLToPath } from "node:url";
import { PLACES } from "../../adapters/places.ts";

if (process.argv[2] === fileURLToPath(PLACES.worker)) {
  process.argv.splice(1, 1);
  await import("../../adapters/workers/worker.ts");
} else {
  await import("../../cli/main.ts");
}
