import { z } from "zod";
import { JsonText } from "../../../wire/json/json-text.ts";
import {
  countDrawn,
  generateFromList,
  PASSWORD_DEFAULTS,
  PASSWORD_LIMITS,
  PASSWORD_MODES,
  type PasswordRequest,
  PATTERN_LIMITS,
  WORD_LISTS,
} from "../../../tools/password.ts";
import { toolMeta } from "../../meta.ts";
import { requesterOf } from "../../policy/count.ts";
import { uncheckedList } from "../../schemas.ts";
import { toolProcedure } from "../../trpc.ts";
import { EXAMPLE } from "../examples.ts";

/** Up to this many characters are drawn here, which with their JSON takes a millisecond or two; a worker draws more. */
const MAX_DRAWN_HERE = 32_768;

function within(name: "length" | "words" | "count" | "minEntropy") {
  const { minimum, maximum } = PASSWORD_LIMITS[name];
  return z.int().min(minimum).max(maximum);
}

/** The tool sets the default: with minEntropy it matters whether a number was sent. */
function documented(name: "length" | "words") {
  return within(name).optional().meta({ default: PASSWORD_DEFAULTS[name] });
}

export const password = toolProcedure
  .meta(
    toolMeta({
      name: "password",
      title: "Password generator",
      summary: "Generate passwords or passphrases",
      description: "Uses the system's random source; every character or word is equally likely.",
      body: "json",
      result: "json",
      text: { field: "passwords", by: "accept" },
      alsoGet: true,
      weight: 1,
      measured: "password: takes 64 KiB at most",
      examples: {
        "Input.length": 20,
        "Result.passwords": [EXAMPLE.generated],
        "Result.entropyBits": 119.1,
        raw: `${EXAMPLE.generated}\n`,
        "get-raw": `${EXAMPLE.generated}\n`,
      },
    }),
  )
  .input(
    z
      .object({
        mode: z
          .enum(PASSWORD_MODES)
          .default(PASSWORD_DEFAULTS.mode)
          .describe("words and passphrase make passphrases; pattern makes codes such as PINs"),
        length: documented("length").describe("Characters, in characters mode"),
        words: documented("words").describe("Words; in passphrase mode as many as 64 bits need"),
        list: z
          .enum(WORD_LISTS)
          .optional()
          .describe(
            "Words to choose from: large, 7,776 English ones (EFF), default of mode passphrase; short, 512 English ones, " +
              "default of mode words; german, 7,776; french and spanish, 2,048 each",
          ),
        pattern: z
          .string()
          .min(PATTERN_LIMITS.minimum)
          .max(PATTERN_LIMITS.maximum)
          .optional()
          .describe(
            "For mode pattern, such as d{6} or H{4}-H{4}, by the letters of KeePass; [] for several together, \\ for a " +
              "character as it is",
          ),
        separator: z
          .string()
          .max(PASSWORD_LIMITS.separator.maximum)
          .default(PASSWORD_DEFAULTS.separator)
          .describe("Placed between words"),
        count: within("count").default(PASSWORD_DEFAULTS.count).describe("How many to generate"),
        uppercase: z.boolean().default(PASSWORD_DEFAULTS.uppercase).describe("Include A-Z"),
        digits: z.boolean().default(PASSWORD_DEFAULTS.digits).describe("Include 0-9"),
        symbols: z
          .boolean()
          .default(PASSWORD_DEFAULTS.symbols)
          .describe("Include the 32 ASCII punctuation characters"),
        symbolSet: z
          .string()
          .min(1)
          .max(64)
          .optional()
          .describe("Include these of the ASCII punctuation characters, in place of all"),
        requireAll: z
          .boolean()
          .default(PASSWORD_DEFAULTS.requireAll)
          .describe("At least one character of each class in every password; entropyBits says what is left"),
        excludeAmbiguous: z
          .boolean()
          .default(PASSWORD_DEFAULTS.excludeAmbiguous)
          .describe("Leave out 0 O 1 l I"),
        capitalize: z
          .boolean()
          .default(PASSWORD_DEFAULTS.capitalize)
          .describe("Begin each word with a capital, in words mode"),
        digit: z
          .boolean()
          .default(PASSWORD_DEFAULTS.digit)
          .describe("Put a digit after one of the words, in words mode"),
        minEntropy: within("minEntropy")
          .optional()
          .describe("Bits of each password at least, instead of length or words"),
      })
      .prefault({}) satisfies z.ZodType<PasswordRequest>,
  )
  .output(
    z.object({
      mode: z.enum(PASSWORD_MODES),
      length: z.int().optional().describe("Characters of each password"),
      alphabetSize: z.int().optional().describe("Characters it is chosen from"),
      words: z.int().optional().describe("Words of each passphrase"),
      separator: z.string().optional(),
      list: z.enum(WORD_LISTS).optional(),
      listSize: z.int().optional().describe("Words it is chosen from"),
      ignored: z
        .array(z.string())
        .optional()
        .describe("Parameters that were sent and do nothing in this mode"),
      count: z.int(),
      entropyBits: z.number().describe("Entropy of each, in bits"),
      passwords: uncheckedList<string>(z.string()),
    }),
  )
  .mutation(async ({ input, ctx, signal }) => {
    if (countDrawn(input) <= MAX_DRAWN_HERE) return generateFromList(input);
    const { runJob } = ctx.services;
    const { about, json, lines } = await runJob("makePasswords", [input], requesterOf(ctx, signal));
    const text = new JsonText(json, lines);
    ctx.jsonParts.push(text);
    // It replaces the list; its type is the list's.
    return { ...about, passwords: text as unknown as string[] };
  });
