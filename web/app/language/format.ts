import { locale, numberFormat } from "./words.ts";

const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** A size in the reader's own notation. A kilobyte is 1024 bytes, as in the limits: 26,214,400 bytes are `25 MB`. */
export function formatBytes(bytes: number): string {
  const power = powerOf(bytes);
  return formatSize(bytes, { power, digits: power > 0 && bytes / 1024 ** power < 10 ? 1 : 0 });
}

const MOST_DIGITS = 2;

/** Two sizes with as many digits as needed to tell them apart: `25.01 MB` and `25 MB`, or finally all bytes. */
export function formatBytesApart(one: number, other: number): readonly [string, string] {
  const power = powerOf(Math.min(one, other));
  for (let digits = 0; digits <= MOST_DIGITS; digits++) {
    const both = [formatSize(one, { power, digits }), formatSize(other, { power, digits })] as const;
    if (both[0] !== both[1]) return digits === 0 ? [formatBytes(one), formatBytes(other)] : both;
  }
  return [formatSize(one, { power: 0, digits: 0 }), formatSize(other, { power: 0, digits: 0 })];
}

function powerOf(bytes: number): number {
  return Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
}

function formatSize(bytes: number, { power, digits }: { power: number; digits: number }): string {
  return numberFormat({
    style: "unit",
    unit: UNITS[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short",
    maximumFractionDigits: digits,
  }).format(bytes / 1024 ** power);
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
  return formatList(names.length > NAMED ? [...names.slice(0, NAMED), "…"] : names);
}
