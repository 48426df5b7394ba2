// Loaded before the server: its clock is as many milliseconds ahead as a file says.
import { readFileSync } from "node:fs";

const { now } = Date;
let ahead = 0;
const read = () => (ahead = Number(readFileSync(process.env.SOAK_CLOCK, "utf8")));
read();
setInterval(read, 100).unref?.();
Date.now = () => now() + ahead;
