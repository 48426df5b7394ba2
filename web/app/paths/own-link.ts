/** The link of this server that a click follows, if the browser would show its target in place of this document. */
export function ownLinkOf(event: MouseEvent): HTMLAnchorElement | undefined {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!link || !isPlain(event) || link.origin !== location.origin) return undefined;
  return link.hasAttribute("download") || link.target === "_blank" ? undefined : link;
}

function isPlain(event: MouseEvent): boolean {
  return (
    event.button === 0 &&
    !event.defaultPrevented &&
    !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
  );
}
