import { benchDoors } from "./doors.ts";

for (const line of await benchDoors()) console.log(line);
