import { formatBytes, formatBytesApart, formatDuration, formatNumber } from "../app/language/format.ts";
import { fill, formatCount, linkWords, nameOf } from "../app/language/words.ts";
import type { Failure } from "./failure.ts";

/** A failure as a sentence in the chosen language, from its code and fields. */
export function formatFailure({ code, fields }: Failure): string {
  const { reason } = fields;
  const special = SPECIAL[code]?.(fields);
  return [
    special ?? sentenceOf(String(reason)) ?? sentenceOf(code) ?? linkWords().errors.unknown,
    formatLimit(fields),
  ]
    .filter(Boolean)
    .join(" ");
}

type Fields = Failure["fields"];

const SPECIAL: Readonly<Record<string, (fields: Fields) => string | undefined>> = {
  invalid_parameter: formatParameter,
  missing_parameter: (fields) => formatParameter(fields, "missing_parameter"),
  page_out_of_range: ({ page, pages }) => {
    if (typeof page !== "number" || typeof pages !== "number") return sentenceOf("no_page_left");
    const sentence = sentenceOf("page_out_of_range");
    return sentence && fill(sentence, { page, pages: formatCount(pages, linkWords().common.pages) });
  },
  // For several files, names the one to choose again.
  unreadable: ({ fileName }) =>
    typeof fileName === "string" ? `${fileName}: ${linkWords().errors.unreadable}` : undefined,
  // Words about something that is not Hushkit, loaded for it.
  unreachable: ({ wall }) => wall as string | undefined,
  rate_limited: ({ retryAfter }) => fill(linkWords().errors.rate_limited, { time: formatWait(retryAfter) }),
};

function sentenceOf(code: string): string | undefined {
  const errors: Readonly<Record<string, string>> = linkWords().errors;
  return Object.hasOwn(errors, code) ? errors[code] : undefined;
}

function formatParameter(
  { parameter, minimum, maximum, line }: Fields,
  code: "missing_parameter" | "invalid_parameter" = "invalid_parameter",
): string {
  const { errors, fields: names } = linkWords();
  const field = nameOf(names, String(parameter));
  const ofLine = sentenceOf("wrong_line");
  if (typeof line === "number" && ofLine) return fill(ofLine, { line: formatNumber(line), field });
  if (typeof minimum !== "number" || typeof maximum !== "number") return fill(errors[code], { field });
  return fill(errors.outside, { field, minimum: formatNumber(minimum), maximum: formatNumber(maximum) });
}

function formatLimit({ value, unit, actual, window }: Fields): string | undefined {
  if (typeof value !== "number" || typeof unit !== "string" || window !== undefined) return undefined;
  const { at_most: atMost, at_most_of: atMostOf } = linkWords().errors;
  const isBytes = unit === "bytes";
  if (typeof actual !== "number")
    return fill(atMost, { limit: isBytes ? formatBytes(value) : formatNumber(value) });
  const [given, limit] = isBytes
    ? formatBytesApart(actual, value)
    : [formatNumber(actual), formatNumber(value)];
  return fill(atMostOf, { actual: given, limit });
}

const MINUTE = 60;

function formatWait(seconds: unknown): string {
  if (typeof seconds !== "number") return formatDuration(MINUTE);
  return formatDuration(seconds < MINUTE ? Math.max(1, seconds) : Math.ceil(seconds / MINUTE) * MINUTE);
}
