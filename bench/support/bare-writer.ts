// The least that can take a text and give it away once: h3 and one durable SQLite write (WAL, synchronous FULL).
import SqliteFile from "better-sqlite3";
import { H3 } from "h3";
import { serve } from "srvx";

const file = new SqliteFile(process.env["DATABASE_URL"] ?? ":memory:");
file.pragma("journal_mode = WAL");
file.pragma("synchronous = FULL");
file.exec("create table if not exists kept (id text primary key, content text not null)");
const insert = file.prepare("insert into kept values (?, ?)");
const take = file.prepare("delete from kept where id = ? returning content");

const app = new H3({ silent: true });
app.post("/create", async (event) => {
  const { content } = (await event.req.json()) as { content: string };
  const id = crypto.randomUUID();
  insert.run(id, content);
  return { id };
});
app.post("/reveal", async (event) => {
  const { id } = (await event.req.json()) as { id: string };
  return take.get(id);
});
const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1", silent: true });
await server.ready();
console.log(JSON.stringify({ event: "listening", url: server.url }));
