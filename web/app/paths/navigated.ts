import { signal } from "@preact/signals";

/** Whether the page has changed since the document was loaded. Only then may we move the focus. */
export const hasNavigated = signal(false);
