// A program that uses a pool and then just ends.
import { WorkerPool } from "../../../../adapters/workers/worker-pool.ts";
import type { jobs } from "./sample-jobs.ts";

const jobsModule = new URL("./sample-jobs.ts", import.meta.url);
const pool = new WorkerPool<typeof jobs>({ deadlineSeconds: 600, jobsModule });
await pool.ping();
console.log(await pool.run("sleep", [50]));
