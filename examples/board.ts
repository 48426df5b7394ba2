// A small tracker of issues on @hushkit/trpc, in the shapes that applications have: dates and maps by superjson, inputs in
// several steps, unions, filters inside of a query, pages by cursor, a router that is loaded when it is needed, and a
// stream of what changes.
import { initTRPC, lazy, tracked, TRPCError } from "@trpc/server";
import superjson from "superjson";
import { z } from "zod";
import { createTrpcServer, type AdapterMeta } from "../adapters/trpc/index.ts";

interface Issue {
  readonly id: number;
  readonly title: string;
  readonly created: Date;
  readonly state: "open" | "closed";
  readonly labels: ReadonlyMap<string, string>;
}

interface Change {
  readonly number: number;
  readonly issue: Issue;
}

/** Issues by project, and who waits for the next change. */
export interface Board {
  readonly issues: Map<number, Issue>;
  readonly changes: Change[];
  waiting: (() => void)[];
}

const t = initTRPC.context<{ board: Board }>().meta<AdapterMeta>().create({ transformer: superjson });
const project = t.procedure.input(z.object({ project: z.string().regex(/^[a-z-]+$/) }));

function put({ issues, changes, waiting }: Board, issue: Issue): Issue {
  issues.set(issue.id, issue);
  changes.push({ number: changes.length + 1, issue });
  for (const wake of waiting.splice(0)) wake();
  return issue;
}

const labels = z.map(z.string(), z.string());

const issues = t.router({
  add: project
    .meta({
      openapi: { method: "POST", path: "/projects/{project}/issues" },
      http: { body: "json", result: "json", status: 201 },
    })
    .input(
      z.object({
        title: z.string().trim().min(1),
        created: z.date().optional(),
        labels: labels.default(new Map()),
      }),
    )
    .mutation(({ ctx: { board }, input: { title, created = new Date(), labels: given } }) =>
      put(board, { id: board.issues.size + 1, title, created, state: "open", labels: given }),
    ),
  list: project
    .meta({ openapi: { method: "GET", path: "/projects/{project}/issues" } })
    .input(
      z.object({
        filter: z
          .object({ since: z.date().optional(), state: z.enum(["open", "closed"]).optional() })
          .default({}),
        ids: z.array(z.int()).optional(),
        cursor: z.int().nullish(),
        limit: z.int().min(1).max(100).default(20),
      }),
    )
    .query(({ ctx: { board }, input: { filter, ids, cursor, limit } }) => {
      const found = [...board.issues.values()].filter(
        ({ id, created, state }) =>
          id > (cursor ?? 0) &&
          (!ids || ids.includes(id)) &&
          (!filter.since || created >= filter.since) &&
          (!filter.state || state === filter.state),
      );
      const page = found.slice(0, limit);
      return { issues: page, next: found.length > limit ? page.at(-1)?.id : undefined };
    }),
  act: project
    .meta({ openapi: { method: "POST", path: "/projects/{project}/issues/{issue-id}/actions" } })
    .input(
      z.intersection(
        z.object({ "issue-id": z.int() }),
        z.discriminatedUnion("type", [
          z.object({ type: z.literal("close") }),
          z.object({ type: z.literal("rename"), title: z.string().min(1) }),
        ]),
      ),
    )
    .mutation(({ ctx: { board }, input }) => {
      const issue = board.issues.get(input["issue-id"]);
      if (!issue) throw new TRPCError({ code: "NOT_FOUND", message: "There is no such issue" });
      return put(
        board,
        input.type === "close" ? { ...issue, state: "closed" } : { ...issue, title: input.title },
      );
    }),
  changes: project
    .meta({ openapi: { method: "GET", path: "/projects/{project}/changes" } })
    .input(z.object({ lastEventId: z.coerce.number().optional() }))
    .subscription(async function* ({ ctx: { board }, input: { lastEventId = 0 }, signal }) {
      for (let at = lastEventId; !signal?.aborted;) {
        for (const change of board.changes.slice(at))
          yield tracked(String((at = change.number)), change.issue);
        await new Promise<void>((wake) => {
          board.waiting.push(wake);
          signal?.addEventListener("abort", () => wake(), { once: true });
        });
      }
    }),
});

const statistics = t.router({
  count: project
    .meta({ openapi: { method: "GET", path: "/projects/{project}/statistics" } })
    .output(z.object({ byState: z.map(z.string(), z.number()) }))
    .query(({ ctx: { board } }) => {
      const states = [...board.issues.values()].map(({ state }) => state);
      const count = (state: string) => states.filter((each) => each === state).length;
      return { byState: new Map(states.map((state) => [state, count(state)])) };
    }),
});

export const boardRouter = t.router({ issues, statistics: lazy(async () => statistics) });

/** What answers requests, with issues that live as long as the process. */
export function createBoard() {
  const board: Board = { issues: new Map(), changes: [], waiting: [] };
  return createTrpcServer({
    router: boardRouter,
    createContext: () => ({ board }),
    basePath: "/api",
    openApi: { path: "/openapi.json", info: { title: "Board", version: "1.0.0" } },
    maxStreams: 100,
  });
}
