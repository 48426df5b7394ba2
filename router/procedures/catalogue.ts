import type { AnyTRPCProcedure } from "@trpc/server";
import { z } from "zod";
import { peekAllowance } from "../../db/allowance.ts";
import { listPages, readPageRange } from "../../tools/page-range.ts";
import type { Caller, Context } from "../context.ts";
import { callerWindow } from "../policy/count.ts";
import { exampleOf } from "../example.ts";
import { LIMITS, RATES, type RateName, type Tier } from "../limits.ts";
import { listErrors } from "../error-codes.ts";
import { parametersOf, type Parameter } from "../parameters.ts";
import { inputSchemaOf, metaOf, outputSchemaOf } from "../introspect.ts";
import { statusesOf, type HttpMeta, type Meta } from "../meta.ts";
import { publicProcedure } from "../trpc.ts";

/** The reference of the API as data, made from the procedures that answer it. */
export function makeCatalogue(procedures: () => Record<string, AnyTRPCProcedure>) {
  return publicProcedure
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
        tools: z.array(entry).describe("The file tools"),
        endpoints: z.array(entry).describe("Everything else"),
        caller: z.object({ tier: z.enum(["anonymous", "member"]) }),
        limits: z.looseObject({}).describe("The caller's limits now"),
        tiers: z.looseObject({}).describe("The limits of both tiers"),
        pageRange: z.looseObject({}).describe("The grammar of page ranges, with examples"),
        errors: z.array(
          z.object({
            code: z.string(),
            status: z.int(),
            description: z.string(),
            fields: z.array(z.string()),
          }),
        ),
      }),
    )
    .query(async ({ ctx }) => {
      const entries = Object.entries(procedures()).flatMap(([path, procedure]) =>
        describeProcedure(path, procedure),
      );
      return {
        tools: entries.filter(({ tool }) => tool),
        endpoints: entries.filter(({ tool }) => !tool),
        caller: { tier: ctx.caller.tier },
        limits: await limitsNow(ctx),
        tiers: { anonymous: limitsOf("anonymous"), member: limitsOf("member") },
        pageRange: PAGE_RANGE,
        errors: listErrors().map((row) => ({ ...row, fields: [...row.fields] })),
      };
    });
}

const entry = z.looseObject({
  name: z.string(),
  title: z.string(),
  summary: z.string(),
  path: z.string(),
  methods: z.array(z.string()),
  rpc: z.string().describe("Path of the same procedure under /trpc"),
  parameters: z.array(z.looseObject({ name: z.string() })),
  statuses: z.array(z.int()),
  example: z.string().describe("A line for a shell"),
});

function describeProcedure(rpc: string, procedure: AnyTRPCProcedure) {
  const meta = metaOf(procedure);
  const { openapi, http, tool, rate, access } = meta;
  const schema = inputSchemaOf(procedure);
  if (!openapi || !http || !schema) return [];
  const methods = http.alsoGet ? ["GET", openapi.method] : [openapi.method];
  const name = tool?.name ?? rpc;
  return [
    {
      name,
      title: tool?.title ?? openapi.summary ?? name,
      summary: openapi.summary ?? "",
      description: openapi.description ?? "",
      path: openapi.path,
      aliases: http.aliases ?? [],
      methods,
      rpc: `/trpc/${rpc}`,
      access: access ?? "open",
      ...(tool ? { tool: true, page: `/${tool.name}` } : { tool: false }),
      request: requestOf(http),
      response: responseOf({ http, types: tool?.types, procedure }),
      parameters: parametersOf(schema).flatMap((parameter) =>
        placeParameter(parameter, { http, path: openapi.path }),
      ),
      limits: limitNames({ http, rate }),
      statuses: [http.status ?? 200, ...statusesOf(meta, schema)],
      example: exampleOf({ http, openapi, schema, access }),
    },
  ];
}

const FILE_TYPES = ["application/octet-stream", "multipart/form-data"];

function requestOf({ body }: HttpMeta) {
  const types: readonly string[] = {
    none: [],
    file: FILE_TYPES,
    stream: FILE_TYPES,
    files: ["application/json", "multipart/form-data"],
    json: ["application/json"],
    fields: ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"],
    content: ["application/json", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain"],
  }[body];
  return { body, types, multipart: types.includes("multipart/form-data") };
}

function responseOf(of: {
  http: HttpMeta;
  types: readonly string[] | undefined;
  procedure: AnyTRPCProcedure;
}) {
  const { http, types, procedure } = of;
  const keys = Object.keys(outputSchemaOf(procedure)?.shape ?? {});
  const isFile = http.result === "file";
  return {
    types: isFile ? types : ["application/json", ...(http.text ? ["text/plain"] : [])],
    envelope: isFile,
    ...(isFile ? { extras: keys.filter((key) => !ENVELOPE_KEYS.has(key)) } : { keys }),
  };
}

const ENVELOPE_KEYS = new Set(["tool", "name", "type", "size", "data", "sha256"]);

function placeParameter(parameter: Parameter, { http, path }: { http: HttpMeta; path: string }) {
  const { name, type } = parameter;
  const isPath = path.includes(`{${name}}`);
  const isQuery = http.body === "none" || (takesFile(http) && type !== "file");
  const place = isPath ? "path" : isQuery ? "query" : "body";
  const also = [
    ...(takesFile(http) && type !== "file" ? ["form"] : []),
    ...(http.alsoGet ? ["query"] : []),
    ...(name === "password" && takesFile(http) ? ["header Tool-Password"] : []),
    ...(name === "expires" ? ["query"] : []),
  ];
  return [{ ...parameter, in: place, also }];
}

function limitNames({ http, rate }: { http: HttpMeta; rate: Meta["rate"] }): string[] {
  if (rate === "tools") return ["calls", "concurrentCalls", ...(takesFile(http) ? ["fileSize"] : [])];
  return [...(http.body === "content" ? ["secretLength", "secretExpires"] : []), ...(rate ? [rate] : [])];
}

function takesFile({ body }: HttpMeta): boolean {
  return body === "file" || body === "stream";
}

function limitsOf(tier: Tier) {
  const { secretCharacters, secretSeconds, fileSize, totalSize, concurrentCalls } = LIMITS[tier];
  return {
    calls: rateOf("tools", tier),
    concurrentCalls: { value: concurrentCalls, unit: "calls" },
    fileSize: { value: fileSize, unit: "bytes" },
    totalSize: { value: totalSize, unit: "bytes" },
    secretLength: { value: secretCharacters, unit: "characters" },
    secretExpires: { value: secretSeconds, unit: "seconds" },
    secretCreates: rateOf("secretCreates", tier),
    secretReads: rateOf("secretReads", tier),
    logins: rateOf("logins", tier),
    registrations: rateOf("registrations", tier),
  };
}

function rateOf(name: RateName, tier: Tier) {
  return { value: RATES[name][tier], window: RATES[name].windowSeconds, unit: "calls" };
}

async function limitsNow(ctx: Context & { caller: Caller }) {
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

async function remainingOf(ctx: Context & { caller: Caller }, rate: RateName) {
  const window = callerWindow(ctx, rate);
  const { remaining, resetSeconds } = await peekAllowance(ctx.services.db, window);
  return { remaining, reset: resetSeconds };
}

const EXAMPLE_PAGES = 10;

const PAGE_RANGE = {
  grammar: 'range = item *( "," item ); item = point [ "-" point ]; point = number / "end" [ "-" number ]',
  notes: [
    "end is the last page, end-2 on its own the last three, 5-end-2 stops at the third from the end",
    "a span runs downwards when its first page is greater",
  ],
  pages: EXAMPLE_PAGES,
  examples: ["1-3,7,end-2", "5-end-2", "end-2-end", "2,2,1", "end-2-1"].map((range) => ({
    range,
    selects: listPages(readPageRange(range) ?? [], EXAMPLE_PAGES),
  })),
};
