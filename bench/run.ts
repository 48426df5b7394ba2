import { benchDoors } from "./doors.ts";
import { benchHash } from "./hash.ts";
import { benchLight } from "./light.ts";
import { benchSecrets } from "./secrets.ts";
import { benchStart } from "./start.ts";

// Ratios count, not the numbers: each peer is measured in the same run on the same machine.
for (const part of [benchDoors, benchHash, benchSecrets, benchStart, benchLight]) {
  for (const line of await part()) console.log(line);
  console.log();
}
