// Started on each runtime: starts workers as the server does, lets them try, and prints what they could.
import { createServer } from "node:net";
import { WorkerPool } from "../../../../adapters/workers/worker-pool.ts";
import type { jobs } from "./probe-jobs.ts";

const jobsModule = new URL("./probe-jobs.ts", import.meta.url);
const [database = ""] = process.argv.slice(2);
const listener = createServer((socket) => socket.end()).listen(0, "127.0.0.1");
await new Promise((resolve) => listener.once("listening", resolve));
const address = listener.address();
const port = typeof address === "object" && address ? address.port : 0;

for (const isNative of [false, true]) {
  const pool = new WorkerPool<typeof jobs>({
    deadlineSeconds: 110,
    heapMegabytes: 512,
    jobsModule,
    isNative,
  });
  const could = {
    readFile: await pool.run("readFile", ["/etc/passwd"]),
    readDatabase: await pool.run("readFile", [database]),
    listFolder: await pool.run("listFolder", ["/tmp"]),
    writeFile: await pool.run("writeFile", [`${database}-written`]),
    openSocket: await pool.run("openSocket", [port]),
    startProgram: await pool.run("startProgram", [process.execPath]),
    startThread: await pool.run("startThread", []),
    loadsSharp: await pool.run("convert", []).then(
      (size) => size > 0,
      () => false,
    ),
  };
  console.log(JSON.stringify(could));
  await pool.close();
}
listener.close();
