// `hushkit admin` as a program of its own, for a clone (`npm run admin -- user list`) and for containers.
import { run } from "../cli/run.ts";
import { processIo } from "../cli/terminal/process-io.ts";

process.exitCode = await run(["admin", ...process.argv.slice(2)], processIo());
