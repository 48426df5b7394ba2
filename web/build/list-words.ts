// `npm run words` lists what languages do not say yet, a line each; the pages show English there.
import { listMissingWords } from "./words.ts";

for (const line of listMissingWords()) console.log(line);
