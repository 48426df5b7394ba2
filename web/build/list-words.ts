// `npm run words` lists the words that languages lack, one per line; the pages show English instead.
import { listMissingWords } from "./words.ts";

for (const line of listMissingWords()) console.log(line);
