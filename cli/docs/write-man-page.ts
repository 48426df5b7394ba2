// Writes docs/hushkit.1 anew: `npm run man`, after a command or option has changed.
import { writeFileSync } from "node:fs";
import { wholeProgram } from "../program.ts";
import { processIo } from "../terminal/process-io.ts";
import { manPage } from "./man-page.ts";

writeFileSync(new URL("../../docs/hushkit.1", import.meta.url), manPage(await wholeProgram(processIo())));
