import { z } from "zod";

/** What one chunk of an upload or a download holds. */
export const CHUNK_BYTES = 64 * 1024;

/** The schemas of the router; new ones for each contender, because trpc-to-openapi changes those that it is given. */
export function makeSchemas() {
  const search = z.object({
    text: z.string().max(100),
    limit: z.int().min(1).max(100),
    exact: z.boolean(),
    tags: z.array(z.string()).max(20),
  });
  const row = z.object({ id: z.int(), name: z.string(), tags: z.array(z.string()) });
  return {
    search,
    found: search.extend({ rows: z.array(row) }),
    order: z.object({
      name: z.string().min(1).max(100),
      email: z.email(),
      amount: z.number(),
      express: z.boolean(),
      tags: z.array(z.string()),
      note: z.string().max(1000),
    }),
    ordered: z.object({ id: z.int(), name: z.string(), total: z.number() }),
    rows: z.object({ rows: z.array(row) }),
    kept: z.object({ rows: z.int() }),
    size: z.object({ size: z.int() }),
  };
}

export type Schemas = ReturnType<typeof makeSchemas>;

const ROWS = [1, 2, 3].map((id) => ({ id, name: `Row number ${id}`, tags: ["red", "round"] }));

/** What the procedures do, the same for each contender. */
export const procedures = {
  search: (input: z.infer<Schemas["search"]>) => ({ ...input, rows: ROWS }),
  order: ({ name, amount, express }: z.infer<Schemas["order"]>) => ({
    id: 7,
    name,
    total: amount + (express ? 5 : 0),
  }),
  keep: ({ rows }: z.infer<Schemas["rows"]>) => ({ rows: rows.length }),
  count: async (stream: ReadableStream<Uint8Array>) => {
    let size = 0;
    for await (const chunk of stream) size += chunk.length;
    return { size };
  },
};

/** So many bytes, a chunk at a time when one is asked for. */
export function makeStream(bytes: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let left = bytes;
  return new ReadableStream(
    {
      pull: (controller) => {
        if (left === 0) return controller.close();
        const chunk = new Uint8Array(Math.min(left, CHUNK_BYTES)).fill(7);
        left -= chunk.length;
        controller.enqueue(chunk);
      },
    },
    { highWaterMark: 0 },
  );
}
