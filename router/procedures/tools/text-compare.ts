import { z } from "zod";
import { type Bytes, utf8 } from "../../../wire/bytes.ts";
import { JsonText } from "../../../wire/json/json-text.ts";
import { describeWarnings, type ToolWarning } from "../../../wire/tool-warning.ts";
import { Utf8Text } from "../../../wire/given-text.ts";
import {
  compareTexts,
  type CompareOptions,
  type IgnoredWhitespace,
  type Row,
  type Span,
} from "../../../tools/text-compare.ts";
import type { Limits, Tier } from "../../limits.ts";
import { tooLarge } from "../../errors/errors.ts";
import { requesterOf } from "../../policy/count.ts";
import { toolMeta } from "../../meta.ts";
import { toolWarning, uncheckedList } from "../../schemas.ts";
import { toolProcedure } from "../../trpc.ts";

/** In UTF-16 code units. Comparing two shorter texts takes about three milliseconds at most, whatever they contain. */
const SHORT_TEXTS = 1_024;

const op = z.enum(["equal", "delete", "insert"]).meta({ title: "CompareOp" });
const lineNumber = z.int().min(1).nullable();
const textB = z.string().optional().describe("As the second text has it, where an option hid a difference");

const rows = uncheckedList<Row>(
  z.object({
    op,
    a: lineNumber.describe("Line in the first text"),
    b: lineNumber.describe("Line in the second text"),
    text: z.string(),
    textB,
    changed: z
      .array(z.array(z.int().min(0)).length(2))
      .optional()
      .describe(
        "Parts of the line that changed, as [start, end] in UTF-16 code units; without it all of the line did",
      ),
    moved: z
      .int()
      .optional()
      .describe("With `moved`: the number of the same line in the other text, where a block of lines went"),
    ignored: z.literal(true).optional().describe("A blank line that ignoreBlankLines ignores"),
  }),
);
const spans = uncheckedList<Span>(z.object({ op, text: z.string(), textB }));

const patch = z
  .custom<string>((value) => typeof value === "string" || value instanceof JsonText)
  .meta({ type: "string", description: "Empty when the texts are identical" });

/** A caller's text, or one that a worker took out of a large body and that is never decoded here. */
function largeText(description: string) {
  return z
    .custom<string>((value) => typeof value === "string" || value instanceof Utf8Text)
    .meta({ type: "string", description, format: "password" })
    .transform((text): string | Utf8Text => text);
}

const ignoredWhitespace = z.preprocess(
  (value) => OLD_BOOLEANS.get(value) ?? value,
  z.enum(["all", "amount", "none"]),
  // zod types preprocessed values as unknown; typed callers send one of these.
) as z.ZodType<IgnoredWhitespace, IgnoredWhitespace | boolean>;

// The parameter used to be a boolean: in JSON, or as text in a query or form.
const OLD_BOOLEANS: ReadonlyMap<unknown, IgnoredWhitespace> = new Map<unknown, IgnoredWhitespace>([
  ...([true, "true", "1"] as const).map((old) => [old, "amount"] as const),
  ...([false, "false", "0"] as const).map((old) => [old, "none"] as const),
]);

const patchName = z
  .string()
  .max(255, { abort: true })
  .regex(/^\P{Cc}*$/u, "must be text without control characters")
  .optional();

export const textCompare = toolProcedure
  .meta(
    toolMeta({
      name: "text-compare",
      title: "Compare texts",
      summary: "Compare two texts",
      description:
        "Compares with Myers' algorithm and returns an edit script, or a unified diff that patch can apply.",
      body: "json",
      result: "json",
      largeTexts: ["a", "b"],
      compressed: true,
      weight: 26,
      measured: "text-compare of two texts of 120,000 lines that differ in many: 25.3",
      errors: [422],
      examples: { "ResultStats.equal": 1, "ResultStats.deleted": 1, "ResultStats.inserted": 1 },
    }),
  )
  .input(
    z.object({
      a: largeText("First text"),
      b: largeText("Second text"),
      granularity: z.enum(["line", "word", "character"]).default("line").describe("Unit of comparison"),
      ignoreCase: z.boolean().default(false).describe("Treat upper and lower case as equal"),
      ignoreWhitespace: ignoredWhitespace
        .default("none")
        .describe(
          "all as diff -w does; amount takes a run of spaces and tabs as one, and none at line ends, as diff -b does. true means amount, false none",
        ),
      ignoreBlankLines: z
        .boolean()
        .default(false)
        .describe("Ignore changes of blank lines only; works with lines only"),
      moved: z
        .boolean()
        .default(false)
        .describe(
          "Mark blocks of lines that stand elsewhere in the other text; works with rows of lines only",
        ),
      format: z.enum(["json", "unified"]).default("json").describe("unified works with lines only"),
      context: z.int().min(0).max(100).default(3).describe("Lines around the changes of a hunk"),
      nameA: patchName.describe("Name of the first text in the patch"),
      nameB: patchName.describe("Name of the second text in the patch"),
    }) satisfies z.ZodType<CompareOptions & Record<"a" | "b", string | Utf8Text>>,
  )
  .output(
    z.object({
      granularity: z.enum(["line", "word", "character"]),
      format: z.enum(["json", "unified"]),
      identical: z.boolean().describe("Whether the texts are equal under these options"),
      minimal: z.boolean().describe("Whether there is no shorter edit script"),
      stats: z.object({
        equal: z.int(),
        deleted: z.int(),
        inserted: z.int(),
        hunks: z.int().optional(),
      }),
      rows: rows.optional(),
      endsWithNewline: z.object({ a: z.boolean(), b: z.boolean() }).optional(),
      spans: spans.optional(),
      patch: patch.optional(),
      warnings: z.array(toolWarning).optional().describe("What there is to know about the difference"),
    }),
  )
  .mutation(async ({ input: { a, b, ...options }, ctx, signal }) => {
    const { caller, services, jsonParts, responseHeaders } = ctx;
    const bounds = { tier: caller.tier, limits: services.limits };
    checkText("a", { text: a, ...bounds });
    checkText("b", { text: b, ...bounds });
    if (typeof a === "string" && typeof b === "string" && a.length + b.length <= SHORT_TEXTS)
      return withSentences(await compareTexts({ a, b }, options), responseHeaders);
    const texts = { a: toBytes(a), b: toBytes(b) };
    const run = services.runJob("compareTexts", [texts, options], requesterOf(ctx, signal));
    const { key, json, ...about } = await run;
    const text = new JsonText(json);
    jsonParts.push(text);
    return { ...withSentences(about, responseHeaders), [key]: text };
  });

/** A comparison with the sentences of its warnings, which are also in a header. */
function withSentences<Compared extends { warnings?: ToolWarning[] }>(
  { warnings, ...compared }: Compared,
  headers: Headers,
) {
  if (!warnings) return compared;
  const described = describeWarnings(warnings);
  for (const { message } of described) headers.append("Tool-Warning", message);
  return { ...compared, warnings: described };
}

// UTF-8 passes between processes unchanged, but has no lone surrogates.
function toBytes(text: string | Utf8Text): Bytes | string {
  if (text instanceof Utf8Text) return text.bytes;
  return text.isWellFormed() ? utf8(text) : text;
}

function checkText(
  parameter: string,
  { text, tier, limits }: { text: string | Utf8Text; tier: Tier; limits: Limits },
): void {
  const value = limits[tier].fileSize;
  // No code unit takes more than three bytes.
  if (typeof text === "string" && text.length * 3 <= value) return;
  const actual = typeof text === "string" ? utf8(text).length : text.bytes.length;
  if (actual <= value) return;
  const about = { what: `Text "${parameter}"`, limit: "fileSize", value, unit: "bytes", actual, tier };
  throw tooLarge("text_too_large", { ...about, parameter, tokenValue: limits.member.fileSize });
}
