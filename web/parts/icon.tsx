import type { MoreIcons } from "./more-icons.ts";

/** Paths on a 24 × 24 grid, drawn for this project: those that the page behind a link has too. */
const FEW = {
  ask: "M4 5h16v11h-8l-4 4v-4H4zM9.8 9a2.2 2.2 0 1 1 3 2c-.5.2-.8.5-.8 1M12 13.8h.01",
  lock: "M6 11h12v9H6zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11M12 15v2",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  check: "M4 12.5l5 5L20 6.5",
  file: "M6 3h8l4 4v14H6zM14 3v4h4",
  download: "M12 5v11M7.5 11.5 12 16l4.5-4.5M4 20h16",
  close: "M6 6l12 12M18 6 6 18",
  sun: "M12 8a4 4 0 1 0 4 4 4 4 0 0 0-4-4ZM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M19 5l-1.4 1.4M6.4 17.6 5 19",
  moon: "M20 14.5A8 8 0 1 1 9.5 4a6.5 6.5 0 0 0 10.5 10.5Z",
  auto: "M12 4a8 8 0 1 0 8 8 8 8 0 0 0-8-8ZM12 4v16M12 7l5 2M12 11h6.5M12 15l5.5 1",
  clock: "M12 4a8 8 0 1 0 8 8 8 8 0 0 0-8-8ZM12 7.5V12l3 2",
  eye: "M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6ZM12 14.5a2.5 2.5 0 1 0-2.5-2.5 2.5 2.5 0 0 0 2.5 2.5Z",
  shield: "M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6zM9 12l2 2 4-4",
} as const;

export type IconName = keyof typeof FEW | keyof MoreIcons;

const shapes: Partial<Record<IconName, string>> = { ...FEW };

/** Adds the icons of the other pages; once, before anything is drawn. */
export function addIcons(more: MoreIcons): void {
  Object.assign(shapes, more);
}

/** A decorative icon beside a text, hidden from screen readers. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={shapes[name]} />
    </svg>
  );
}

/** The letter of the mark, as it is pressed into wax. */
export const STAMP = "M9 8v16M23 8v16M9 16h6.2M16.8 16H23";

/** A wax seal: whole until what it closes is opened. Words beside it must say the same. */
export function Seal({ isBroken = false }: { isBroken?: boolean }) {
  return (
    <span class={isBroken ? "seal broken" : "seal"}>
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <path d={STAMP} />
      </svg>
    </span>
  );
}
