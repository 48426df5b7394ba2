import type { Runtime } from "../../../support/runtimes.ts";

/** A program that has the server mounted below /hush, beside a page of its own, and writes the port it got. */
export interface Host {
  readonly name: string;
  readonly on: Runtime["name"];
  readonly program: string;
}

/** What the programs need beside hushkit. */
export const HOST_PACKAGES = ["h3@2.0.8", "hono@4", "@hono/node-server@1", "express@5", "srvx@1.0.8"];

const OPEN = `
import { createServer } from "hushkit";
const hushkit = await createServer({
  publicUrl: "http://127.0.0.1/hush", databaseUrl: process.argv[2], workers: 1, trustProxy: "none",
});
process.once("SIGTERM", async () => {
  await hushkit.close();
  process.exit(0);
});
const listening = (port) => console.log("port " + port);
`;

const NODE: readonly Omit<Host, "on">[] = [
  {
    name: "h3",
    program: `${OPEN}
import { H3, serve } from "h3";
const app = new H3().get("/", () => "around").all("/hush/**", (event) => hushkit.fetch(event.req));
const server = serve(app, { port: 0, hostname: "127.0.0.1", silent: true, gracefulShutdown: false });
await server.ready();
listening(new URL(server.url).port);
`,
  },
  {
    name: "Hono",
    program: `${OPEN}
import { serve } from "@hono/node-server";
import { getConnInfo } from "@hono/node-server/conninfo";
import { Hono } from "hono";
const app = new Hono();
app.get("/", (context) => context.text("around"));
app.all("/hush/*", (context) => hushkit.fetch(context.req.raw, { address: getConnInfo(context).remote.address }));
// Hono would put a Response of its own in the place of the platform's, which h3 does not know.
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1", overrideGlobalObjects: false }, ({ port }) => listening(port));
`,
  },
  {
    name: "Express",
    program: `${OPEN}
import express from "express";
import { toNodeHandler } from "srvx/node";
const app = express();
app.get("/", (_, response) => response.send("around"));
app.use("/hush", toNodeHandler((request) => hushkit.fetch(request)));
const server = app.listen(0, "127.0.0.1", () => listening(server.address().port));
`,
  },
];

export const HOSTS: readonly Host[] = [
  ...NODE.map((host) => ({ ...host, on: "node" as const })),
  {
    name: "Deno.serve",
    on: "deno",
    program: `${OPEN}
Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: ({ port }) => listening(port) }, (request, { remoteAddr }) =>
  new URL(request.url).pathname === "/"
    ? new Response("around")
    : hushkit.fetch(request, { address: remoteAddr.hostname }),
);
`,
  },
  {
    name: "Bun.serve",
    on: "bun",
    program: `${OPEN}
const { port } = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: (request, server) =>
    new URL(request.url).pathname === "/"
      ? new Response("around")
      : hushkit.fetch(request, { address: server.requestIP(request).address }),
});
listening(port);
`,
  },
];
