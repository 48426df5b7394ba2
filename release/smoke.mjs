// What a release has to do on every runtime, from packages that were installed in an empty folder.
import { createClient } from "@hushkit/client";
import { generatePasswords, hashFile } from "@hushkit/tools";
import { createServer } from "hushkit";

const url = "http://hushkit.test";
const server = await createServer({ publicUrl: url, databaseUrl: ":memory:", workers: 1 });
const client = createClient(url, { fetch: (input, init) => server.fetch(new Request(input, init)) });
const { passwords } = generatePasswords({ length: 20 });
const { id, key } = await client.secrets.create.mutate({ content: passwords[0] });
const { content } = await client.secrets.reveal.mutate({ id, key });
const file = new TextEncoder().encode(content);
const there = await client.tools.fileHash.mutate({ file });
const here = await hashFile(file, { algorithms: ["sha256"] });
const page = await server.fetch(new Request(`${url}/`, { headers: { accept: "text/html" } }));
const html = await page.text();
await server.close();
const isWhole = content === passwords[0] && there.digests.sha256 === here.digests.sha256;
if (!isWhole || page.status !== 200 || !html.includes("/assets/"))
  throw new Error("The packages do not work");
process.exit(0);
