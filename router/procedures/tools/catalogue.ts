import { z } from "zod";
import { utf8, type Bytes } from "../../../wire/bytes.ts";
import { JsonText } from "../../../wire/json/json-text.ts";
import { DAY_SECONDS } from "../../../db/allowance.ts";
import { listPages, readPageRange } from "../../../tools/page-range.ts";
import type { CallerContext } from "../../context.ts";
import { peekCalls } from "../../policy/count.ts";
import { LIMITS, RATES, type RateName, type Tier } from "../../limits.ts";
import { listErrors } from "../../errors/error-codes.ts";
import { limitedProcedure } from "../../trpc.ts";

const entry = z.looseObject({
  name: z.string(),
  title: z.string(),
  summary: z.string(),
  path: z.string(),
  methods: z.array(z.string()),
  rpc: z.string().describe("Path of the same procedure under /trpc"),
  parameters: z.array(z.looseObject({ name: z.string() })),
  statuses: z.array(z.int()),
  example: z.string().describe("A command for a shell"),
});

const errorRow = z.object({
  code: z.string(),
  status: z.int(),
  description: z.string(),
  fields: z.array(z.string()),
});

const limit = z
  .object({
    value: z.int(),
    unit: z.string(),
    window: z.int().optional().describe("Seconds; without it the limit is for one call or for all time"),
    remaining: z.int().optional(),
    reset: z.int().optional().describe("Seconds until all of it is there again"),
  })
  .meta({ title: "Limit" });

const limits = z.record(z.string(), limit);

/** A list that was checked and written as JSON once; the document describes what is in it. */
function writtenList<Item extends z.ZodType>(items: Item, description: string) {
  const { $schema: _, ...schema } = z.toJSONSchema(items);
  const isWritten = (value: unknown) => value instanceof JsonText;
  return z.custom<z.output<Item>[]>(isWritten).meta({ type: "array", items: schema, description });
}

/** The reference of the API as data. All of it that is the same for every caller is written once. */
export const catalogue = limitedProcedure("catalogue")
  .meta({
    openapi: {
      method: "GET",
      path: "/api/tools",
      summary: "What this service can do",
      description: "Every endpoint with its parameters, and the limits that apply to the caller now.",
      tags: ["tools"],
      protect: false,
    },
    http: { body: "none", result: "json" },
    errors: [401, 429],
  })
  .input(z.object({}).prefault({}))
  .output(
    z.object({
      tools: writtenList(entry, "The file tools"),
      endpoints: writtenList(entry, "Everything else"),
      anonymous: z
        .enum(["all", "secrets", "tools", "none"])
        .describe("What callers without an account may start"),
      caller: z.object({ tier: z.enum(["anonymous", "member"]) }),
      limits: limits.describe("The caller's limits now, by name"),
      tiers: z.object({ anonymous: limits, member: limits }).describe("The limits of both tiers"),
      pageRange: z
        .object({
          grammar: z.string(),
          notes: z.array(z.string()),
          pages: z.int().describe("Of the document that the examples are for"),
          examples: z.array(z.object({ range: z.string(), selects: z.array(z.int()) })),
        })
        .describe("The grammar of page ranges, with examples"),
      errors: writtenList(errorRow, "Every error code"),
    }),
  )
  .query(async ({ ctx }) => ({
    tools: write(ctx, ctx.services.catalogue.tools),
    endpoints: write(ctx, ctx.services.catalogue.endpoints),
    anonymous: ctx.services.anonymous,
    caller: { tier: ctx.caller.tier },
    limits: await limitsNow(ctx),
    tiers: { anonymous: limitsOf("anonymous"), member: limitsOf("member") },
    pageRange: PAGE_RANGE,
    errors: write(ctx, ERROR_ROWS),
  }));

const ERROR_ROWS = listErrors().map((row) => ({ ...row, fields: [...row.fields] }));

const written = new WeakMap<readonly unknown[], Bytes>();

// The text stands in the answer where the list would: its type is that of what the caller gets.
function write<Item>({ jsonParts }: CallerContext, list: Item[]): Item[] {
  const bytes = written.get(list) ?? utf8(JSON.stringify(list));
  written.set(list, bytes);
  const text = new JsonText(bytes);
  jsonParts.push(text);
  return text as unknown as Item[];
}

function limitsOf(tier: Tier) {
  const { secretCharacters, secretSeconds, fileSize, totalSize, pixels, concurrentCalls, storedBytes } =
    LIMITS[tier];
  return {
    calls: rateOf("tools", tier),
    concurrentCalls: { value: concurrentCalls, unit: "calls" },
    fileSize: { value: fileSize, unit: "bytes" },
    totalSize: { value: totalSize, unit: "bytes" },
    pixels: { value: pixels, unit: "pixels" },
    secretLength: { value: secretCharacters, unit: "characters" },
    secretExpires: { value: secretSeconds, unit: "seconds" },
    // An address has so much in a day, an account at a time.
    storedBytes: {
      value: storedBytes,
      unit: "bytes",
      ...(tier === "anonymous" ? { window: DAY_SECONDS } : {}),
    },
    secretCreates: rateOf("secretCreates", tier),
    secretReads: rateOf("secretReads", tier),
    catalogue: rateOf("catalogue", tier),
    accountCalls: rateOf("accountCalls", tier),
    logins: rateOf("logins", tier),
    recoveries: rateOf("recoveries", tier),
    registrations: rateOf("registrations", tier),
  };
}

function rateOf(name: RateName, tier: Tier) {
  return { value: RATES[name][tier], window: RATES[name].windowSeconds, unit: "calls" };
}

async function limitsNow(ctx: CallerContext) {
  const limits = limitsOf(ctx.caller.tier);
  const rates = ["tools", "secretCreates", "secretReads"] as const;
  const [calls, creates, reads] = await Promise.all(rates.map((rate) => remainingOf(ctx, rate)));
  return {
    ...limits,
    calls: { ...limits.calls, ...calls },
    secretCreates: { ...limits.secretCreates, ...creates },
    secretReads: { ...limits.secretReads, ...reads },
  };
}

async function remainingOf(ctx: CallerContext, rate: RateName) {
  const { remaining, resetSeconds } = await peekCalls(ctx, rate);
  return { remaining, reset: resetSeconds };
}

const EXAMPLE_PAGES = 10;

const EXAMPLES = [
  ...["1-3,7,end-2", "5-end-2", "end-2-end", "2,2,1", "end-2-1"],
  ...["r3-z", "1-z:odd", "z-1:even", "1-9,x4-6"],
];

function selectedBy(text: string): number[] {
  const range = readPageRange(text);
  return range ? listPages(range, EXAMPLE_PAGES) : [];
}

const PAGE_RANGE = {
  grammar:
    'range = item *( "," [ "x" ] item ) [ ":even" / ":odd" ]; item = point [ "-" point ]; ' +
    'point = number / "z" / "r" number / "end" [ "-" number ]',
  notes: [
    "end is the last page, end-2 on its own the last three, 5-end-2 stops at the third from the end",
    "z and r1 are the last page, r2 is the one before it",
    "a span runs downwards when its first page is greater",
    "x takes pages out of the item before it; :even and :odd leave every second page of the whole selection",
  ],
  pages: EXAMPLE_PAGES,
  examples: EXAMPLES.map((range) => ({
    range,
    selects: selectedBy(range),
  })),
};
