import { isolate, locale, numberFormat } from "./words.ts";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/**
 * A size in the reader's own notation, in units of 1,000 as file managers and shops count: 26,214,400 bytes are
 * `26.2 MB`. Cut and never rounded up, so that a limit is not more than what is taken.
 */
export function formatBytes(bytes: number): string {
  return formatSize(bytes, DIGITS);
}

const DIGITS = 3;
const MOST_DIGITS = 5;
/** As many as the format knows. */
const ALL_DIGITS = 21;

/** Two sizes with as many digits as needed to tell them apart: `26.22 MB` and `26.21 MB`, or finally all bytes. */
export function formatBytesApart(one: number, other: number): readonly [string, string] {
  for (let digits = DIGITS; digits <= MOST_DIGITS; digits++) {
    const both = [formatSize(one, digits), formatSize(other, digits)] as const;
    if (both[0] !== both[1]) return both;
  }
  return [formatSize(one, ALL_DIGITS, 0), formatSize(other, ALL_DIGITS, 0)];
}

function powerOf(bytes: number): number {
  return Math.min(UNITS.length - 1, Math.floor((String(bytes).length - 1) / 3));
}

function formatSize(bytes: number, digits: number, power = powerOf(bytes)): string {
  return numberFormat({
    style: "unit",
    unit: UNITS[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short",
    maximumSignificantDigits: digits,
    roundingMode: "floor",
  }).format(bytes / 1000 ** power);
}

export function formatNumber(value: number): string {
  return numberFormat().format(value);
}

export function formatPercent(share: number): string {
  return numberFormat({ style: "percent" }).format(share);
}

/** A point in time in the reader's own time zone. */
export function formatTime(time: string | number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(
    new Date(time),
  );
}

/** A point in time for a reader who may be in another time zone. */
export function formatMoment(time: string): string {
  return new Intl.DateTimeFormat(locale(), {
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  }).format(new Date(time));
}

const SPANS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
] as const;

/** A duration in its largest whole unit: `15 minutes`. */
export function formatDuration(seconds: number): string {
  const [unit, size] = SPANS.find(([, length]) => seconds >= length && seconds % length === 0) ?? [
    "second",
    1,
  ];
  return numberFormat({ style: "unit", unit, unitDisplay: "long" }).format(seconds / size);
}

/** The time from now: `in 23 hours`, `4 minutes ago`. */
export function formatRelativeTime(time: string): string {
  const seconds = (Date.parse(time) - Date.now()) / 1000;
  const [unit, size] = SPANS.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  return new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }).format(Math.round(seconds / size), unit);
}

/** `PDF, Word and text`. */
export function formatList(items: readonly string[]): string {
  return new Intl.ListFormat(locale()).format(items);
}

const NAMED = 5;

/** File names for a sentence; only the first ones of many. */
export function formatNames(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).map(isolate);
  return formatList(names.length > NAMED ? [...shown, "…"] : shown);
}
