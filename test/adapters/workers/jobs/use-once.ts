// A program that uses a runner and then just ends.
import { createRunner } from "../../../../adapters/workers/worker-pool.ts";
import type { sleep } from "./sample.ts";

const inProcesses = process.argv[2] === "processes";
const toolsUrl = new URL("./", import.meta.url);
const runner = createRunner({ workers: 2, deadlineSeconds: 600, toolsUrl, inProcesses });
await runner.ping();
console.log(await runner.run<typeof sleep>("sample#sleep", [{ milliseconds: 50, label: "done" }]));
