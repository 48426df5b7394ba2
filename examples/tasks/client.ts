// Calls all of the board of tasks, typed and over REST, and prints what comes: node examples/tasks/client.ts ADDRESS; the
// same on Deno (deno run -A) and Bun.
import {
  createTRPCClient,
  httpBatchLink,
  httpLink,
  httpSubscriptionLink,
  isNonJsonSerializable,
  splitLink,
  TRPCClientError,
} from "@trpc/client";
import { EventSource } from "eventsource";
import superjson from "superjson";
import type { AppRouter } from "./router.ts";

const [origin = "http://127.0.0.1:3000"] = process.argv.slice(2);
const url = `${origin}/api/trpc`;
let token = "";

const headers = () => ({ authorization: `Bearer ${token}` });

const trpc = createTRPCClient<AppRouter>({
  links: [
    splitLink({
      condition: ({ type }) => type === "subscription",
      true: httpSubscriptionLink({
        url,
        transformer: superjson,
        // Of a package, because that of browsers sends no headers, and Node and Bun have none.
        EventSource,
        eventSourceOptions: {
          fetch: (to, init) => fetch(to, { ...init, headers: { ...init.headers, ...headers() } }),
        },
      }),
      false: splitLink({
        condition: ({ input }) => isNonJsonSerializable(input),
        // A form is sent as it is, and what comes back is read like any answer.
        true: httpLink({
          url,
          headers,
          transformer: { serialize: (form: unknown) => form, deserialize: superjson.deserialize },
        }),
        false: httpBatchLink({ url, headers, transformer: superjson }),
      }),
    }),
  ],
});

/** What stands in the line says of each value what it is: `"due":["Date"]`. */
function print(what: string, value: unknown): void {
  console.log(`${what}: ${superjson.stringify(value)}`);
}

/** As curl does it: curl -X METHOD -H "Authorization: Bearer $TOKEN" -d BODY ADDRESS/api/PATH */
async function rest(method: string, path: string, body?: object): Promise<void> {
  const sent = body instanceof FormData ? body : JSON.stringify(body);
  const response = await fetch(`${origin}/api${path}`, { method, headers: headers(), body: sent ?? null });
  const { requestId: _, ...answer } = (await response.json()) as Record<string, unknown>;
  print(`${method} ${path} ${response.status}`, answer);
}

async function printFailure(what: string, call: Promise<unknown>): Promise<void> {
  const error = await call.catch((thrown: unknown) => thrown);
  if (!(error instanceof TRPCClientError)) throw new Error(`${what} must fail`);
  print(what, [error.message, error.data]);
}

await printFailure("without a session", trpc.boards.add.mutate({ name: "none" }));
await rest("POST", "/boards", { name: "none" });

({ token } = await trpc.session.start.mutate({ user: " Ann " }));
print("a board", await trpc.boards.add.mutate({ name: "Home", limits: new Map([["doing", 1]]) }));
await rest("POST", "/boards", { name: "Work", limits: { doing: 2 } });
await rest("POST", "/boards", { name: "Work", limits: { doing: 0.5 } });

const due = new Date("2026-01-31T12:00:00Z");
const [paint, sweep] = await Promise.all([
  trpc.cards.add.mutate({ boardId: 1, title: "Paint", tags: "hall, red", due }),
  trpc.cards.add.mutate({ boardId: 1, title: "Sweep" }),
]);
print("a batch", [paint, sweep]);
await rest("POST", "/boards/1/cards", { title: "Cook", tags: "hall", due: "2026-02-28" });

const first = await trpc.cards.list.query({ boardId: 1, limit: 2 });
print("pages", [first, await trpc.cards.list.query({ boardId: 1, cursor: first.nextCursor ?? null })]);
await rest("GET", "/boards/1/cards?limit=1&cursor=1");
await rest("GET", "/boards/1/cards?tags=hall&before=2026-02-01");
await rest("GET", "/boards/1/cards?limit=0");

const time = 90_071_992_547_409_931n;
print("spent", await trpc.cards.change.mutate({ cardId: 1, type: "spend", time }));
await rest("PATCH", "/cards/1", { type: "spend", time: "1" });
await rest("PATCH", "/cards/1", { type: "move", to: "doing" });
await printFailure("full", trpc.cards.change.mutate({ cardId: 2, type: "move", to: "doing" }));
await rest("PATCH", "/cards/2", { type: "move", to: "doing" });
await rest("PATCH", "/cards/2", { type: "lift", to: "doing" });
await rest("POST", "/cards/2/finish");

const form = new FormData();
form.append("file", new File(["a wall"], "wall.png", { type: "image/png" }));
form.append("about", JSON.stringify({ caption: "Before", taken: "2026-01-01T00:00:00Z" }));
await rest("POST", "/cards/1/attachments", form);
form.append("cardId", "1");
print("a form", await trpc.cards.attachments.add.mutate(form));
const { data, ...file } = await trpc.cards.attachments.get.query({ cardId: 1, id: "1-2" });
print("a file", { ...file, text: new TextDecoder().decode(data) });

for (const path of ["/cards/1/attachments/1-1", "/boards/1/report.csv"]) {
  const response = await fetch(`${origin}/api${path}`, { headers: { ...headers(), range: "bytes=0-5" } });
  const told = ["content-type", "content-disposition"].map((name) => response.headers.get(name));
  print(`GET ${path} ${response.status}`, [...told, await response.text()]);
}
const { name, data: report } = await trpc.reports.spent.query({ boardId: 1 });
print(name, new TextDecoder().decode(report));

// Events from the fifth on, and one that comes while they are listened to.
await new Promise<void>((resolve, reject) => {
  const listening = trpc.activity.subscribe(
    { boardId: 1, lastEventId: 5 },
    {
      onData: ({ id, data }) => {
        print(`event ${id}`, data);
        if (id === "6") trpc.cards.change.mutate({ cardId: 3, type: "rename", title: "Bake" }).catch(reject);
        if (id !== "7") return;
        listening.unsubscribe();
        resolve();
      },
      onError: reject,
    },
  );
});
await printFailure(
  "no board to listen to",
  new Promise((_, onError) => trpc.activity.subscribe({ boardId: 7 }, { onError })),
);

// curl -N -H "Authorization: Bearer $TOKEN" -H "Last-Event-ID: 6" ADDRESS/api/boards/1/activity
const leaving = new AbortController();
const stream = await fetch(`${origin}/api/boards/1/activity`, {
  headers: { ...headers(), "last-event-id": "6" },
  signal: leaving.signal,
});
let text = "";
for await (const piece of stream.body!.pipeThrough(new TextDecoderStream()))
  if (/id: 8\n.*\n\n$/.test((text += piece))) break;
leaving.abort();
print("GET /boards/1/activity", [stream.headers.get("content-type"), text]);

({ token } = await trpc.session.start.mutate({ user: "bob" }));
await printFailure("somebody else's", trpc.cards.list.query({ boardId: 1 }));
await rest("GET", "/boards/1/cards");
