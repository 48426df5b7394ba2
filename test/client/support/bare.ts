// Calls a server with no more than React Native and a page over plain HTTP have. Its standard input is the arguments as
// JSON, its standard output what came of the calls.
import { readFileSync } from "node:fs";

const { url, pdf } = JSON.parse(readFileSync(0, "utf8")) as { url: string; pdf: string };
const { crypto, fetch: send } = globalThis;
const file = new Uint8Array(Buffer.from(pdf, "base64"));

// No randomUUID where a page is not secure.
const random = { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) };
Object.defineProperty(globalThis, "crypto", { value: random });
Reflect.deleteProperty(AbortSignal, "any");
// There, it is beside fetch.
Reflect.set(globalThis, "XMLHttpRequest", class {});
const fetch: typeof send = async (input, init) =>
  Object.defineProperty(await send(input, init), "body", { value: undefined });

const { createClient } = await import("../../../client/client.ts");
const client = createClient(url, { fetch });
const { signal } = new AbortController();
const turned = await client.tools.pdfRotate.mutate({ file, angle: 90 }, { signal });
const { id, key } = await client.secrets.createFile.mutate({ file, filename: "a.pdf" });
const opened = await client.secrets.openFile.mutate({ id, key });
const text = await client.secrets.create.mutate({ content: "hush" });
const { content } = await client.secrets.reveal.mutate({ id: text.id, key: text.key });
const same = Buffer.from(await opened.data.bytes()).equals(file);
process.stdout.write(JSON.stringify({ pages: turned.pages, same, content }));
process.exit(0);
