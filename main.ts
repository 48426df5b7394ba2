// For `deno run main.ts` and `bun run main.ts`.
import "./server/main.ts";
