// Serves the board of tasks: node examples/tasks/serve.ts; the same on Deno (deno run -A) and Bun. PORT, or any port that
// is free. It prints its address.
import { serve } from "srvx";
import { createTasks } from "./router.ts";

const app = createTasks();
const port = Number(process.env.PORT ?? 0);
const server = serve({ fetch: app.fetch, port, hostname: "127.0.0.1", silent: true });
await server.ready();
console.log(new URL(server.url ?? "").origin);
