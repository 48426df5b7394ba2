// Loaded ahead of a server that is measured: a line on its standard error for each turn of its event loop that took
// long, in processor time of its thread. Other programs on the machine hardly change it.
import { setInterval } from "node:timers";

const LOOK_MS = 2;
const LONG_MS = 4;

let start = process.threadCpuUsage();
const timer = setInterval(() => {
  const { user, system } = process.threadCpuUsage(start);
  start = process.threadCpuUsage();
  const milliseconds = (user + system) / 1000;
  if (milliseconds > LONG_MS) process.stderr.write(`${JSON.stringify({ turn: milliseconds })}\n`);
}, LOOK_MS);
timer.unref?.();
