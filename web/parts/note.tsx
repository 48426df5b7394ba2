import type { ComponentChildren } from "preact";

/** A notice. A bad one is announced by screen readers at once. */
export function Note({
  kind,
  title,
  children,
}: {
  kind?: "good" | "warn" | "bad";
  title?: string;
  children?: ComponentChildren;
}) {
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
