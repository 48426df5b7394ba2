// A program that uses a pool and then just ends.
import { createWorkerPool } from "../../../../adapters/workers/worker-pool.ts";
import type { sleep } from "./sample.ts";

const inProcesses = process.argv[2] === "processes";
const toolsUrl = new URL("./", import.meta.url);
const pool = createWorkerPool({ workers: 2, deadlineSeconds: 600, toolsUrl, inProcesses });
await pool.ping();
console.log(await pool.run<typeof sleep>("sample#sleep", [{ milliseconds: 50, label: "done" }]));
