import { z } from "zod";
import { encodeBase64Url } from "../../../wire/base64.ts";
import { utf8, type Bytes } from "../../../wire/bytes.ts";
import { JsonText } from "../../../wire/json/json-text.ts";
import { countOwn } from "../../../db/accounts/lock-member.ts";
import { DAY_SECONDS } from "../../../db/allowance.ts";
import { digestText } from "../../../tools/crypto/key-derivation.ts";
import { listPages, readPageRange } from "../../../tools/page-range.ts";
import type { CallerContext, Catalogue } from "../../context.ts";
import { peekCalls } from "../../policy/count.ts";
import type { Limits, RateName, Tier } from "../../limits.ts";
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
    minimum: z.int().optional().describe("The least that may be asked for"),
    allowed: z.array(z.int()).optional().describe("All that may be asked for; the first is the default"),
    window: z.int().optional().describe("Seconds; without it the limit is for one call or for all time"),
    remaining: z.int().optional(),
    reset: z.int().optional().describe("Seconds until all of it is there again"),
  })
  .meta({ title: "Limit" });

const limits = z.record(z.string(), limit);

/** A list that was checked and written as JSON once; the document describes its items. */
function writtenList<Item extends z.ZodType>(items: Item, description: string) {
  const { $schema: _, ...schema } = z.toJSONSchema(items);
  const isWritten = (value: unknown) => value instanceof JsonText;
  return z.custom<z.output<Item>[]>(isWritten).meta({ type: "array", items: schema, description });
}

// Examples for the document.
const CALLS = { value: 60, window: 900, unit: "calls" };
const ENDPOINT = {
  name: "password",
  title: "Password",
  summary: "Generate passwords",
  path: "/api/tools/password",
  methods: ["GET", "POST"],
  rpc: "/trpc/tools.password",
  parameters: [{ name: "length" }],
  statuses: [200, 400, 401, 429, 500, 503],
  example: "curl $URL/api/tools/password",
};

/** The API's reference as data. Everything that is the same for all callers is written once. */
export const catalogue = limitedProcedure("catalogue")
  .meta({
    openapi: {
      method: "GET",
      path: "/api/tools",
      summary: "What this service can do",
      description:
        "Every endpoint with its parameters, and the limits that apply to the caller now. With If-None-Match it is " +
        "304 where nothing but what is left of those limits has changed.",
      tags: ["tools"],
      protect: false,
    },
    http: { body: "none", result: "json", hasTag: true, compressed: true },
    errors: [401, 429],
    examples: {
      "Result.tools": [ENDPOINT],
      "Result.endpoints": [{ ...ENDPOINT, name: "instance", path: "/api/instance", rpc: "/trpc/instance" }],
      "Result.limits": { calls: { ...CALLS, remaining: 57, reset: 412 } },
      "ResultTiers.anonymous": { calls: CALLS },
      "ResultTiers.member": { calls: { ...CALLS, value: 600 } },
      "ResultPageRange.grammar": 'range = item *( "," item )',
      "ResultPageRange.notes": ["end is the last page"],
      "ResultPageRange.pages": 10,
      "ResultPageRange.examples": [{ range: "5-end-2", selects: [5, 6, 7, 8] }],
      "Result.errors": [{ code: "invalid_range", status: 400, description: "…", fields: ["parameter"] }],
    },
  })
  .input(z.object({}).prefault({}))
  .output(
    z.object({
      tools: writtenList(entry, "The file tools"),
      endpoints: writtenList(entry, "Everything else"),
      anonymous: z
        .enum(["all", "secrets", "tools", "none"])
        .describe("What callers without an account may start"),
      caller: z.object({
        tier: z.enum(["anonymous", "member"]),
        hasHooks: z
          .boolean()
          .describe("Whether hooks of the caller's are told what becomes of their secrets"),
      }),
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
  .query(async ({ ctx }) => {
    const { anonymous, catalogue: written, limits: all } = ctx.services;
    const constant = {
      anonymous,
      caller: { tier: ctx.caller.tier, hasHooks: await hasHooks(ctx) },
      tiers: { anonymous: limitsOf("anonymous", all), member: limitsOf("member", all) },
      pageRange: PAGE_RANGE,
    };
    ctx.responseHeaders.set("ETag", tagOf(written, constant));
    return {
      tools: write(ctx, written.tools),
      endpoints: write(ctx, written.endpoints),
      ...constant,
      limits: await limitsNow(ctx),
      errors: write(ctx, ERROR_ROWS),
    };
  });

async function hasHooks({ caller, services }: CallerContext): Promise<boolean> {
  if (services.hooks === null || caller.tier === "anonymous") return false;
  return (await countOwn(services.db.query, "hook", caller.memberId)) > 0;
}

const ERROR_ROWS = listErrors().map((row) => ({ ...row, fields: [...row.fields] }));

const listsAsJson = new WeakMap<readonly unknown[], Bytes>();
const digests = new WeakMap<Catalogue, Bytes>();

/**
 * An ETag of everything except what is left of the caller's limits, which do not change the catalogue. It is weak,
 * because two answers with it may differ in that (RFC 9110, 8.8.1).
 */
function tagOf(catalogue: Catalogue, constant: object): string {
  const digest = digests.get(catalogue) ?? digestText(JSON.stringify([catalogue, ERROR_ROWS]));
  digests.set(catalogue, digest);
  return `W/"${encodeBase64Url(digestText(JSON.stringify([constant, encodeBase64Url(digest)])))}"`;
}

// The text replaces the list in the answer; its type is the list's.
function write<Item>({ jsonParts }: CallerContext, list: Item[]): Item[] {
  const bytes = listsAsJson.get(list) ?? utf8(JSON.stringify(list));
  listsAsJson.set(list, bytes);
  const text = new JsonText(bytes);
  jsonParts.push(text);
  return text as unknown as Item[];
}

function limitsOf(tier: Tier, limits: Limits) {
  const { secretCharacters, lifetimes, fileSize, totalSize, secretFileSize, pixels } = limits[tier];
  const { minimum, maximum, offered } = lifetimes;
  const { concurrentCalls, storedBytes } = limits[tier];
  const rateOf = (name: RateName) => {
    const { windowSeconds: window, [tier]: value } = limits.rates[name];
    return { value, window, unit: "calls" };
  };
  return {
    calls: rateOf("tools"),
    concurrentCalls: { value: concurrentCalls, unit: "calls" },
    fileSize: { value: fileSize, unit: "bytes" },
    totalSize: { value: totalSize, unit: "bytes" },
    pixels: { value: pixels, unit: "pixels" },
    secretFileSize: { value: secretFileSize, unit: "bytes" },
    secretLength: { value: secretCharacters, unit: "characters" },
    secretExpires: { value: maximum, unit: "seconds", minimum, allowed: offered && [...offered] },
    secretExpiresDefault: { value: limits.defaultSeconds, unit: "seconds" },
    // Per day for an address, in all for an account.
    storedBytes: {
      value: storedBytes,
      unit: "bytes",
      window: tier === "anonymous" ? DAY_SECONDS : undefined,
    },
    secretCreates: rateOf("secretCreates"),
    secretReads: rateOf("secretReads"),
    catalogue: rateOf("catalogue"),
    accountCalls: rateOf("accountCalls"),
    logins: rateOf("logins"),
    recoveries: rateOf("recoveries"),
    registrations: rateOf("registrations"),
  };
}

async function limitsNow(ctx: CallerContext) {
  const limits = limitsOf(ctx.caller.tier, ctx.services.limits);
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
  examples: EXAMPLES.map((text) => {
    const range = readPageRange(text);
    return { range: text, selects: range ? listPages(range, EXAMPLE_PAGES) : [] };
  }),
};
