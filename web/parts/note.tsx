import type { ComponentChildren } from "preact";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** A notice. A bad one is announced by screen readers at once. */
export function Note({
  kind,
  title,
  children,
}: {
  kind?: "good" | "warn" | "bad";
  title?: string | undefined;
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

/**
 * What screen readers announce when it changes. They announce changes within such a region, but little of what appears
 * together with it, so the region is on the page before its text.
 */
export function Status({
  isInline = false,
  kind,
  children,
}: {
  isInline?: boolean;
  kind?: string;
  children?: ComponentChildren;
}) {
  const Box = isInline ? "span" : "div";
  const isThere = useSignal(false);
  useEffect(() => {
    isThere.value = true;
  }, []);
  return (
    <Box role="status" class={kind}>
      {isThere.value && children}
    </Box>
  );
}
