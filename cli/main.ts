import { run } from "./run.ts";
import { processIo } from "./terminal/process-io.ts";

process.exitCode = await run(process.argv.slice(2), processIo());
