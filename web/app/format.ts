/** A size for people: `1.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  const units = ["kB", "MB", "GB"];
  let value = bytes;
  let unit = "";
  for (const next of units) {
    if (value < 999.5) break;
    value /= 1000;
    unit = next;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** `1 page`, `12 pages`. */
export function formatCount(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/** A point in time in the reader's own time zone. */
export function formatTime(time: string | number): string {
  return new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
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
  return formatCount(seconds / size, unit);
}

/** The time from now: `in 23 hours`, `4 minutes ago`. */
export function formatRelativeTime(time: string): string {
  const seconds = (Date.parse(time) - Date.now()) / 1000;
  const [unit, size] = SPANS.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
  return new Intl.RelativeTimeFormat("en", { numeric: "auto" }).format(Math.round(seconds / size), unit);
}
