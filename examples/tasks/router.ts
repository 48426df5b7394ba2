// A board of tasks on @hushkit/trpc, in the shapes that applications on tRPC have: a session in the context, procedures that
// build on others, superjson, forms with JSON beside a file, pages by cursor, errors with reasons of their own.
import { initTRPC, lazy, tracked, TRPCError } from "@trpc/server";
import superjson from "superjson";
import { z } from "zod";
import { bytes, createTrpcServer, type AdapterMeta } from "../../adapters/trpc/index.ts";

const COLUMNS = ["todo", "doing", "done"] as const;
type Column = (typeof COLUMNS)[number];

interface Board {
  readonly id: number;
  readonly owner: string;
  readonly name: string;
  /** How many cards a column may hold. */
  readonly limits: ReadonlyMap<Column, number>;
}

interface Card {
  readonly id: number;
  readonly boardId: number;
  readonly title: string;
  readonly column: Column;
  readonly tags: readonly string[];
  readonly due: Date | null;
  /** Time that was spent, in nanoseconds. */
  readonly spent: bigint;
}

/** All that is kept, as long as the process lives. */
class Store {
  readonly sessions = new Map<string, { readonly user: string }>();
  readonly boards = new Map<number, Board>();
  readonly cards = new Map<number, Card>();
  readonly attachments = new Map<string, { readonly cardId: number; readonly file: File }>();
  readonly changes: Card[] = [];
  readonly #waiting = new Set<() => void>();

  put(card: Card): Card {
    this.cards.set(card.id, card);
    this.changes.push(card);
    for (const wake of this.#waiting) wake();
    return card;
  }

  cardsOf({ id }: Board): Card[] {
    return [...this.cards.values()].filter(({ boardId }) => boardId === id);
  }

  /** Settles with the next change, or when the signal fires. */
  changed(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => void (this.#waiting.delete(wake), resolve());
      this.#waiting.add(wake);
      signal?.addEventListener("abort", wake, { once: true });
    });
  }
}

/** An error with a reason that programs can read. */
class TaskError extends Error {
  readonly reason: "column_full" | "not_yours";

  constructor(reason: TaskError["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

interface Context {
  readonly store: Store;
  readonly session: { readonly user: string } | undefined;
}

const t = initTRPC
  .context<Context>()
  .meta<AdapterMeta>()
  .create({
    transformer: superjson,
    errorFormatter: ({ shape, error: { cause } }) => ({
      ...shape,
      data: { ...shape.data, reason: cause instanceof TaskError ? cause.reason : undefined },
    }),
  });

const publicProcedure = t.procedure;

const protectedProcedure = publicProcedure.use(({ ctx: { session }, next }) => {
  if (!session) throw new TRPCError({ code: "UNAUTHORIZED", message: "Sign in first" });
  return next({ ctx: { session } });
});

function findBoard({ store, session }: Context, id: number): Board {
  const board = store.boards.get(id);
  if (!board) throw new TRPCError({ code: "NOT_FOUND", message: "There is no such board" });
  if (board.owner === session?.user) return board;
  const cause = new TaskError("not_yours", "This board is somebody else's");
  throw new TRPCError({ code: "FORBIDDEN", message: cause.message, cause });
}

function findCard(ctx: Context, id: number): { card: Card; board: Board } {
  const card = ctx.store.cards.get(id);
  if (card) return { card, board: findBoard(ctx, card.boardId) };
  throw new TRPCError({ code: "NOT_FOUND", message: "There is no such card" });
}

const boardProcedure = protectedProcedure
  .input(z.object({ boardId: z.coerce.number().int() }))
  .use(({ ctx, input: { boardId }, next }) => next({ ctx: { board: findBoard(ctx, boardId) } }));

const cardProcedure = protectedProcedure
  .input(z.object({ cardId: z.coerce.number().int() }))
  .use(({ ctx, input: { cardId }, next }) => next({ ctx: findCard(ctx, cardId) }));

const session = t.router({
  start: publicProcedure
    .meta({ openapi: { method: "POST", path: "/session" } })
    .input(z.object({ user: z.string().trim().toLowerCase().min(1) }))
    .mutation(({ ctx: { store }, input }) => {
      const token = crypto.randomUUID();
      store.sessions.set(token, input);
      return { token, ...input };
    }),
});

const boards = t.router({
  add: protectedProcedure
    .meta({ openapi: { method: "POST", path: "/boards", protect: true } })
    .input(z.object({ name: z.string(), limits: z.map(z.enum(COLUMNS), z.int()).default(new Map()) }))
    .mutation(({ ctx: { store, session }, input }) => {
      const board: Board = { id: store.boards.size + 1, owner: session.user, ...input };
      store.boards.set(board.id, board);
      return board;
    }),
});

/** The fields of a form: tRPC's links send a FormData, and REST reads one by the schema. */
function formOf<Fields extends z.ZodRawShape>(fields: Fields) {
  const open = (input: unknown) => (input instanceof FormData ? Object.fromEntries(input) : input);
  return z.preprocess(open, z.object(fields));
}

/** A field of a form that is JSON. */
function jsonOf<Value extends z.ZodType>(value: Value) {
  const text = z.string().transform((sent, { addIssue }): unknown => {
    try {
      return JSON.parse(sent);
    } catch {
      addIssue({ code: "custom", message: "This is not JSON" });
      return z.NEVER;
    }
  });
  return text.pipe(value);
}

const attachments = t.router({
  add: protectedProcedure
    .meta({ openapi: { method: "POST", path: "/cards/{cardId}/attachments", protect: true } })
    .input(
      formOf({
        cardId: z.coerce.number().int(),
        file: z.file().max(500_000),
        about: jsonOf(z.object({ caption: z.string(), taken: z.coerce.date().optional() })),
      }),
    )
    .mutation(({ ctx, input: { cardId, file, about } }) => {
      findCard(ctx, cardId);
      const id = `${cardId}-${ctx.store.attachments.size + 1}`;
      ctx.store.attachments.set(id, { cardId, file });
      return { id, name: file.name, type: file.type, size: file.size, ...about };
    }),
  get: cardProcedure
    .meta({
      openapi: { method: "GET", path: "/cards/{cardId}/attachments/{id}", protect: true },
      http: { result: "file" },
    })
    .input(z.object({ id: z.string() }))
    .output(z.object({ name: z.string(), type: z.string(), data: bytes() }))
    .query(async ({ ctx: { store, card }, input: { id } }) => {
      const { cardId, file } = store.attachments.get(id) ?? {};
      if (!file || cardId !== card.id)
        throw new TRPCError({ code: "NOT_FOUND", message: "Nothing is attached" });
      return { name: file.name, type: file.type, data: new Uint8Array(await file.arrayBuffer()) };
    }),
});

const tags = z
  .string()
  .default("")
  .transform((text) => text.split(/[ ,]+/).filter((tag) => tag !== ""));

const cards = t.router({
  add: boardProcedure
    .meta({ openapi: { method: "POST", path: "/boards/{boardId}/cards", protect: true } })
    .input(z.object({ title: z.string().min(1), tags, due: z.coerce.date().nullish() }))
    .mutation(({ ctx: { store, board }, input: { title, tags, due = null } }) =>
      store.put({ id: store.cards.size + 1, boardId: board.id, title, column: "todo", tags, due, spent: 0n }),
    ),
  list: boardProcedure
    .meta({ openapi: { method: "GET", path: "/boards/{boardId}/cards", protect: true } })
    .input(
      z.object({
        limit: z.int().min(1).max(100).default(20),
        cursor: z.int().nullish(),
        before: z.coerce.date().optional(),
        tags,
      }),
    )
    .query(({ ctx: { store, board }, input: { limit, cursor, before, tags } }) => {
      const found = store
        .cardsOf(board)
        .filter(({ id }) => id > (cursor ?? 0))
        .filter((card) => tags.every((tag) => card.tags.includes(tag)))
        .filter(({ due }) => !before || (due !== null && due < before));
      const cards = found.slice(0, limit);
      return { cards, nextCursor: found.length > limit ? cards.at(-1)?.id : undefined };
    }),
  change: cardProcedure
    .meta({ openapi: { method: "PATCH", path: "/cards/{cardId}", protect: true } })
    .input(
      z.discriminatedUnion("type", [
        z.object({ type: z.literal("rename"), title: z.string().min(1) }),
        z.object({ type: z.literal("spend"), time: z.bigint().positive() }),
        z.object({ type: z.literal("move"), to: z.enum(COLUMNS) }),
      ]),
    )
    .mutation(({ ctx: { store, board, card }, input }) => {
      if (input.type === "rename") return store.put({ ...card, title: input.title });
      if (input.type === "spend") return store.put({ ...card, spent: card.spent + input.time });
      const there = store.cardsOf(board).filter(({ id, column }) => id !== card.id && column === input.to);
      if (there.length < (board.limits.get(input.to) ?? Infinity))
        return store.put({ ...card, column: input.to });
      const cause = new TaskError("column_full", `There is no room in "${input.to}"`);
      throw new TRPCError({ code: "CONFLICT", message: cause.message, cause });
    }),
  finish: cardProcedure
    .meta({ openapi: { method: "POST", path: "/cards/{cardId}/finish", protect: true } })
    .mutation(({ ctx: { store, card } }) => store.put({ ...card, column: "done" })),
  attachments,
});

const activity = boardProcedure
  .meta({ openapi: { method: "GET", path: "/boards/{boardId}/activity", protect: true } })
  .input(z.object({ lastEventId: z.coerce.number().int().default(0) }))
  .subscription(async function* ({ ctx: { store, board }, input: { lastEventId }, signal }) {
    for (let at = lastEventId; !signal?.aborted; await store.changed(signal))
      for (const card of store.changes.slice(at)) {
        at += 1;
        if (card.boardId === board.id) yield tracked(String(at), card);
      }
  });

const reports = t.router({
  spent: boardProcedure
    .meta({
      openapi: { method: "GET", path: "/boards/{boardId}/report.csv", protect: true },
      http: { result: "file", type: "text/csv" },
    })
    .output(z.object({ name: z.string(), data: bytes() }))
    .query(({ ctx: { store, board } }) => {
      const rows = store.cardsOf(board).map(({ title, spent }) => `${JSON.stringify(title)},${spent}\n`);
      return { name: `${board.name}.csv`, data: new TextEncoder().encode(`card,spent\n${rows.join("")}`) };
    }),
});

export const appRouter = t.router({ session, boards, cards, activity, reports: lazy(async () => reports) });
export type AppRouter = typeof appRouter;

/** What answers requests. */
export function createTasks() {
  const store = new Store();
  return createTrpcServer({
    router: appRouter,
    createContext: ({ request }): Context => {
      const [, token = ""] = /^Bearer (.+)$/.exec(request.headers.get("authorization") ?? "") ?? [];
      return { store, session: store.sessions.get(token) };
    },
    basePath: "/api",
    openApi: { path: "/openapi.json", info: { title: "Tasks", version: "1.0.0" } },
    maxStreams: 100,
  });
}
