// Serves the notes: node examples/serve-notes.mjs [alone|h3|hono|express]; PORT, or any port that is free. It prints
// its address. The same on Deno (deno run -A) and Bun.
import { serve } from "srvx";
import { createNotes } from "./notes.ts";

const notes = createNotes();
const hostname = "127.0.0.1";
const port = Number(process.env.PORT ?? 0);

const MOUNTS = {
  alone: async () => notes.fetch,
  h3: async () => {
    const { H3 } = await import("h3");
    return new H3().all("/**", ({ req }) => notes.fetch(req)).fetch;
  },
  hono: async () => {
    const { Hono } = await import("hono");
    return new Hono().all("*", ({ req }) => notes.fetch(req.raw)).fetch;
  },
};

const [mount = "alone"] = process.argv.slice(2);
if (mount === "express") {
  const [{ default: express }, { toNodeHandler }] = await Promise.all([
    import("express"),
    import("srvx/node"),
  ]);
  const listening = express()
    .use(toNodeHandler(notes.fetch))
    .listen(port, hostname, () => {
      console.log(`http://${hostname}:${listening.address().port}`);
    });
} else {
  const server = serve({ fetch: await MOUNTS[mount](), port, hostname, silent: true });
  await server.ready();
  console.log(new URL(server.url ?? "").origin);
}
