// Serves one of the programs beside it: node examples/serve.mjs [notes|board] [alone|h3|hono|express]; PORT, or any port
// that is free. It prints its address. The same on Deno (deno run -A) and Bun.
import { serve } from "srvx";
import { createBoard } from "./board.ts";
import { createNotes } from "./notes.ts";

const [program = "notes", mount = "alone"] = process.argv.slice(2);
const app = program === "board" ? createBoard() : createNotes();
const hostname = "127.0.0.1";
const port = Number(process.env.PORT ?? 0);

const MOUNTS = {
  alone: async () => app.fetch,
  h3: async () => {
    const { H3 } = await import("h3");
    return new H3().all("/**", ({ req }) => app.fetch(req)).fetch;
  },
  hono: async () => {
    const { Hono } = await import("hono");
    return new Hono().all("*", ({ req }) => app.fetch(req.raw)).fetch;
  },
};

if (mount === "express") {
  const [{ default: express }, { toNodeHandler }] = await Promise.all([
    import("express"),
    import("srvx/node"),
  ]);
  const listening = express()
    .use(toNodeHandler(app.fetch))
    .listen(port, hostname, () => {
      console.log(`http://${hostname}:${listening.address().port}`);
    });
} else {
  const server = serve({ fetch: await MOUNTS[mount](), port, hostname, silent: true });
  await server.ready();
  console.log(new URL(server.url ?? "").origin);
}
