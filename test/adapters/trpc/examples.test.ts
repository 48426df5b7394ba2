// process
import { spawn } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createTRPCClient, httpBatchLink } from "@trpc/client";
import { expect, test } from "vitest";
import { frameLink } from "../../../client/frame-link.ts";
import superjson from "superjson";
import type { boardRouter } from "../../../examples/board.ts";
import type { notesRouter } from "../../../examples/notes.ts";
import { runtimesHere } from "../../machine/skips.ts";
import type { Runtime } from "../../support/runtimes.ts";

const at = (file: string) => fileURLToPath(new URL(`../../../examples/${file}`, import.meta.url));
const PROGRAM = at("serve.mjs");
const MOUNTS = ["alone", "h3", "hono", "express"];
/** Less than the adapter allows where nothing is said. */
const FILE = randomFillSync(new Uint8Array(900_000));

async function withProgram(
  { command, args }: Runtime,
  program: readonly string[],
  use: (url: string) => Promise<void>,
) {
  const server = spawn(command, [...args, ...program], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    for await (const line of createInterface(server.stdout))
      if (line.startsWith("http")) return await use(line);
    throw new Error(`${program.join(" ")} did not start`);
  } finally {
    server.kill("SIGKILL");
  }
}

async function tryNotes(url: string): Promise<void> {
  const written = await fetch(`${url}/api/notes`, {
    method: "POST",
    body: new URLSearchParams({ text: "a", tags: "x" }),
  });
  const { id } = (await written.json()) as { id: string };
  expect(written.status).toBe(201);
  const sent = await fetch(`${url}/api/notes/${id}/attachment?filename=f`, { method: "POST", body: FILE });
  expect([sent.status, await sent.json()]).toEqual([200, { id, text: "a", tags: ["x"], attachment: "f" }]);
  const taken = await fetch(`${url}/api/notes/${id}/attachment`);
  expect(Buffer.from(await taken.arrayBuffer()).equals(FILE)).toBe(true);

  const typed = createTRPCClient<typeof notesRouter>({ links: [httpBatchLink({ url: `${url}/trpc` })] });
  expect(await typed.list.query({ tag: "x" })).toMatchObject({ notes: [{ id }] });
  const framed = createTRPCClient<typeof notesRouter>({ links: [frameLink({ url: `${url}/trpc` })] });
  await framed.attach.mutate({ id, filename: "g", file: FILE.subarray(0, 10) });
  expect((await framed.attachment.query({ id })).name).toBe("g");
  await expect(framed.attachment.query({ id: "none" })).rejects.toThrow("There is no such note");

  const statuses = [
    fetch(`${url}/api/notes`, { method: "PUT" }),
    fetch(`${url}/api/notes/${id}/attachment`, { method: "POST", body: new Uint8Array(1_000_001) }),
    fetch(`${url}/api/notes?limit=0`),
    fetch(`${url}/api/openapi.json`, { method: "HEAD" }),
  ].map(async (answer) => (await answer).status);
  expect(await Promise.all(statuses)).toEqual([405, 413, 400, 200]);
}

test.each(runtimesHere())(
  "the notes run on $name, by themselves and mounted in h3, Hono and Express",
  async (runtime) => {
    for (const mount of MOUNTS) await withProgram(runtime, [PROGRAM, "notes", mount], tryNotes);
  },
);

/** The events of a stream as they come. */
async function* eventsOf(response: Response): AsyncGenerator<string> {
  let text = "";
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    const blocks = (text += piece).split("\n\n");
    text = blocks.pop() ?? "";
    yield* blocks.filter((block) => block.includes("data:"));
  }
}

async function tryBoard(url: string): Promise<void> {
  const at = `${url}/api/projects/home`;
  const send = async (path: string, body: object) => {
    const response = await fetch(at + path, { method: "POST", body: JSON.stringify(body) });
    return [response.status, (await response.json()) as unknown];
  };
  const created = "2026-01-31T10:00:00.000Z";
  const first = { id: 1, title: "Paint", created, state: "open", labels: { room: "hall" } };
  expect(await send("/issues", { title: " Paint", created, labels: { room: "hall" } })).toEqual([201, first]);
  expect(await send("/issues", { title: "" })).toMatchObject([400, { parameter: "title" }]);
  expect(await send("/issues/1/actions", { type: "rename", title: "Paint it" })).toMatchObject([
    200,
    { title: "Paint it" },
  ]);
  const get = async (path: string) => (await (await fetch(at + path)).json()) as unknown;
  expect(await get("/issues?filter[since]=2026-01-01&filter[state]=open&ids=1&ids=2&limit=1")).toMatchObject({
    issues: [{ id: 1 }],
  });
  expect(await get("/issues?filter[since]=2026-02-01")).toEqual({ issues: [] });
  expect(await get("/statistics")).toEqual({ byState: { open: 1 } });

  const typed = createTRPCClient<typeof boardRouter>({
    links: [httpBatchLink({ url: `${url}/api/trpc`, transformer: superjson })],
  });
  const second = await typed.issues.add.mutate({
    project: "home",
    title: "Sweep",
    labels: new Map([["a", "b"]]),
  });
  expect([second.created, second.labels]).toEqual([expect.any(Date), new Map([["a", "b"]])]);
  expect((await typed.statistics.count.query({ project: "home" })).byState).toEqual(new Map([["open", 2]]));

  const headers = { "last-event-id": "2" };
  for (const path of [
    "/changes",
    `/../../trpc/issues.changes?input=${encodeURIComponent('{"json":{"project":"home"}}')}`,
  ]) {
    const stop = new AbortController();
    const events = eventsOf(await fetch(at + path, { headers, signal: stop.signal }));
    // tRPC says first that it is connected.
    const next = async () => {
      let event = await events.next();
      while (!event.done && !event.value.includes("id: ")) event = await events.next();
      return String(event.value);
    };
    expect(await next()).toContain("id: 3");
    const changed = next();
    await send("/issues/2/actions", { type: "close" });
    expect(await changed).toContain("closed");
    stop.abort();
  }
}

test.each(runtimesHere())(
  "the board runs on $name, with what superjson carries, and tells what changes",
  (runtime) => withProgram(runtime, [PROGRAM, "board", "alone"], tryBoard),
);

/** What the client of the tasks prints of each call, with the type of each value that JSON has none for. */
const TOLD = [
  'POST /boards 401: {"json":{"error":"Sign in first","code":"unauthorized","status":401}}',
  'a board: {"json":{"id":1,"owner":"ann","name":"Home","limits":[["doing",1]]},"meta":{"values":{"limits":["map"]},"v":1}}',
  'POST /boards 200: {"json":{"id":2,"owner":"ann","name":"Work","limits":{"doing":2}}}',
  'POST /boards/1/cards 200: {"json":{"id":3,"boardId":1,"title":"Cook","column":"todo","tags":["hall"],"due":"2026-02-28T00:00:00.000Z","spent":"0"}}',
  'GET /boards/1/cards?limit=1&cursor=1 200: {"json":{"cards":[{"id":2,"boardId":1,"title":"Sweep","column":"todo","tags":[],"due":null,"spent":"0"}],"nextCursor":2}}',
  'spent: {"json":{"id":1,"boardId":1,"title":"Paint","column":"todo","tags":["hall","red"],"due":"2026-01-31T12:00:00.000Z","spent":"90071992547409931"},"meta":{"values":{"due":["Date"],"spent":["bigint"]},"v":1}}',
  'PATCH /cards/2 409: {"json":{"error":"There is no room in \\"doing\\"","code":"conflict","status":409,"data":{"reason":"column_full"}}}',
  'full: {"json":["There is no room in \\"doing\\"",{"code":"CONFLICT","httpStatus":409,"path":"cards.change","reason":"column_full"}]}',
  'POST /cards/2/finish 200: {"json":{"id":2,"boardId":1,"title":"Sweep","column":"done","tags":[],"due":null,"spent":"0"}}',
  'POST /cards/1/attachments 200: {"json":{"id":"1-1","name":"wall.png","type":"image/png","size":6,"caption":"Before","taken":"2026-01-01T00:00:00.000Z"}}',
  'a form: {"json":{"id":"1-2","name":"wall.png","type":"image/png","size":6,"caption":"Before","taken":"2026-01-01T00:00:00.000Z"},"meta":{"values":{"taken":["Date"]},"v":1}}',
  'a file: {"json":{"name":"wall.png","type":"image/png","text":"a wall"}}',
  'GET /boards/1/report.csv 206: {"json":["text/csv","attachment; filename=\\"Home.csv\\"","card,s"]}',
  'event 7: {"json":{"id":2,"boardId":1,"title":"Sweep","column":"done","tags":[],"due":null,"spent":"0"},"meta":{"values":{"spent":["bigint"]},"v":1}}',
  'GET /boards/1/cards 403: {"json":{"error":"This board is somebody else\'s","code":"forbidden","status":403,"data":{"reason":"not_yours"}}}',
];

test.each(runtimesHere())(
  "the tasks run on $name, and their client calls them typed and over REST",
  async (runtime) => {
    await withProgram(runtime, [at("tasks/serve.ts")], async (url) => {
      const { command, args } = runtime;
      const client = spawn(command, [...args, at("tasks/client.ts"), url], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const ended = once(client, "close");
      const lines: string[] = [];
      for await (const line of createInterface(client.stdout)) lines.push(line);
      expect(await ended).toEqual([0, null]);
      expect(lines).toEqual(expect.arrayContaining(TOLD));
      expect(lines.find((line) => line.startsWith("GET /boards/1/activity"))).toMatch(
        /text\/event-stream.*id: 7.*Sweep.*id: 8.*Bake/,
      );
      const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as { paths: object };
      expect(Object.keys(document.paths)).toHaveLength(9);
    });
  },
);
