import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

/**
 * What screen readers say when it comes. They say what changes in such a region, but little of what comes with one, so
 * it is on the page before its text.
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
