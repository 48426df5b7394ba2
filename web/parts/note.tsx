import type { ComponentChildren } from "preact";

interface NoteProps {
  readonly kind?: "good" | "warn" | "bad";
  readonly title?: string;
  readonly children?: ComponentChildren;
}

/** A notice. A bad one is announced by screen readers at once. */
export function Note({ kind, title, children }: NoteProps) {
  return (
    <div class={kind ? `note ${kind}` : "note"} role={kind === "bad" ? "alert" : undefined}>
      {title && (
        <p>
          <strong>{title}</strong>
        </p>
      )}
      {children && <div>{children}</div>}
    </div>
  );
}
