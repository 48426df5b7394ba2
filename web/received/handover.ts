/** What another program has shared with the pages. */
export interface Received {
  readonly files: readonly File[];
  /** Empty without one. */
  readonly text: string;
}

/** The page asks the service worker with this word, and a port for the answer. */
export const ASK = "received";

// By the names in the web manifest.
/** Reads the form in which a device shares. A text and its address come apart; a title alone is a text, too. */
export function readShared(form: FormData): Received {
  const [title = "", text = "", url = ""] = ["title", "text", "url"].map((name) => textOf(form.get(name)));
  const files = form.getAll("file").filter((value) => value instanceof File);
  const address = text.includes(url) ? "" : url;
  return { files, text: [text, address].filter(Boolean).join("\n") || title };
}

function textOf(value: FormDataEntryValue | null): string {
  return typeof value === "string" ? value : "";
}
