// The attacker's process: node test/release/attacks/run-attack.ts NAME URL SECONDS MOST. It ends by itself.
import { ATTACKS } from "./attacks.ts";

const [name, url = "", seconds = "5", most = "1000"] = process.argv.slice(2);
const attack = ATTACKS.find((each) => each.name === name);
if (!attack) throw new Error(`There is no attack of this name; there are ${ATTACKS.length}`);
const signal = AbortSignal.timeout(Number(seconds) * 1000);
await attack.run({ url, signal, most: Number(most) });
process.exit(0);
